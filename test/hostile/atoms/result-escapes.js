// expect: result_too_large
// A text that grows sixfold in JSON.
function run() { return "\u0001".repeat(4e5); }
