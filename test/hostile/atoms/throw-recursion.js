// expect: threw
// Recursion without end.
function run() { return run(); }
