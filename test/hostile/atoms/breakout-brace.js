// expect: syntax
// An unbalanced brace.
function run() { return 1; } }) ; for (;;) {} ({
