// expect: threw|memory|crashed|timeout
// A join of 512 MB.
function run() { return Array(2 ** 27).join("abcd").length; }
