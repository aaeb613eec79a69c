// expect: timeout|ok []
// Microtasks without end after the call has returned.
function run() { const again = () => Promise.resolve().then(again); again(); return []; }
