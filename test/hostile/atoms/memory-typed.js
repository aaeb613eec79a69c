// expect: threw|memory|crashed|timeout
// Typed arrays without end.
function run() { const a = []; for (;;) a.push(new Float64Array(1e6).fill(1)); }
