// expect: syntax
// An open comment.
function run() { return 1; } /*
