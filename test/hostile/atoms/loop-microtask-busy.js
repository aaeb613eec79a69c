// expect: timeout|ok []
// One microtask that never ends.
function run() { Promise.resolve().then(() => { for (;;) {} }); return []; }
