// expect: memory|timeout|crashed
// A Set that grows.
function run() { const m = new Set(); for (let i = 0; ; i++) m.add("k" + i); }
