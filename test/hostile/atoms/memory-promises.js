// expect: memory|timeout|crashed
// Promises without end.
function run() { const a = []; for (;;) a.push(new Promise(() => {}).then(() => {})); }
