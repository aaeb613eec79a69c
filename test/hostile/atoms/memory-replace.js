// expect: threw|memory|crashed|timeout
// A replacement of 10 GB.
function run() { return "x".repeat(1e5).replace(/x/g, "y".repeat(1e5)).length; }
