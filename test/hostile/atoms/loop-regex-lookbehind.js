// expect: timeout
// Catastrophic backtracking in a look-behind.
function run() { return /(?<=q(x|x)+)$/.test("x".repeat(60)); }
