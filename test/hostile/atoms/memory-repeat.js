// expect: threw|memory|crashed|timeout
// A string longer than V8 has.
function run() { return "x".repeat(2 ** 30).length; }
