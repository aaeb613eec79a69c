// expect: timeout
// Catastrophic backtracking in a literal.
function run() { return /^(a+)+$/.test("a".repeat(60) + "b"); }
