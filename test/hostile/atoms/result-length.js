// expect: result_too_large
// A length without elements.
function run() { const a = []; a.length = 4294967295; return a; }
