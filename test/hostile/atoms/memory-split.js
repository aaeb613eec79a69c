// expect: memory|crashed|timeout|ok 20000000
// Twenty million pieces.
function run() { return "x".repeat(2e7).split("").length; }
