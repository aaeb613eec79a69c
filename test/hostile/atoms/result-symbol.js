// expect: result_invalid
// A symbol.
function run() { return [Symbol("x")]; }
