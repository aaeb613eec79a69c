// expect: memory|timeout|crashed|threw
// Strings without end.
function run() { const a = []; for (let i = 0; ; i++) a.push(("x" + i).repeat(1000).toUpperCase()); }
