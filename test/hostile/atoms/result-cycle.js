// expect: result_too_large
// A result that contains itself.
function run() { const a = []; a.push(a); return a; }
