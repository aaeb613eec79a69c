// expect: memory|timeout|crashed
// One array of 480 MB.
function run() { return Array(6e7).fill().length; }
