// expect: memory|timeout|crashed
// Registered symbols without end.
function run() { for (let i = 0; ; i++) Symbol.for("k".repeat(1000) + i); }
