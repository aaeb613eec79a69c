// expect: memory|timeout|crashed
// Arrays without end.
function run() { const a = []; for (;;) a.push(new Array(10000).fill(1.5)); }
