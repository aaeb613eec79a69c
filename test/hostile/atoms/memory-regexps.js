// expect: memory|timeout|crashed|threw
// Compiled patterns without end.
function run() { const a = []; for (let i = 0; ; i++) { const r = new RegExp("(a" + i + "|b){1,50}".repeat(20)); r.test("x"); a.push(r); } }
