// expect: threw|memory
// A message of 20 MB.
function run() { throw new Error("x".repeat(2e7)); }
