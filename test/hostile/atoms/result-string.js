// expect: result_too_large
// A text over the limit.
function run() { return "x".repeat(5e6); }
