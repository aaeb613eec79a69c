// expect: threw|memory|timeout
// A message of 20 MB.
function run() { throw new Error("x".repeat(2e7)); }
