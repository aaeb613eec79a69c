// expect: result_too_large|timeout|memory
// An object with very many keys.
function run() { const o = {}; for (let i = 0; i < 2e5; i++) o["key" + i] = i; return o; }
