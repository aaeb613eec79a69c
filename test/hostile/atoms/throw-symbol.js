// expect: threw
// A symbol thrown.
function run() { throw Symbol("s"); }
