// expect: threw|memory|crashed|timeout
// One typed array of 8 GB.
function run() { return new Float64Array(1e9).length; }
