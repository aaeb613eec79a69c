// expect: memory|timeout|crashed
// Suspended frames without end.
function run() { const a = []; async function f() { const x = new Array(1000).fill(1); await new Promise(() => {}); return x; } for (;;) a.push(f()); }
