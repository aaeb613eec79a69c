// expect: result_invalid
// A function.
function run() { return run; }
