// expect: memory|timeout|crashed
// An object with ever more keys.
function run() { const o = {}; for (let i = 0; ; i++) o["k" + i] = i; }
