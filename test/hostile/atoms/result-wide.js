// expect: result_too_large
// More records than asked for.
function run() { return new Array(3e5).fill(0); }
