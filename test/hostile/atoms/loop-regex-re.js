// expect: timeout
// Catastrophic backtracking through re.
function run() { return re.search("^(a+)+$", "a".repeat(60) + "b") !== null; }
