// expect: memory|timeout|crashed
// A Map that grows.
function run() { const m = new Map(); for (let i = 0; ; i++) m.set(i, i); }
