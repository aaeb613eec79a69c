// expect: result_invalid|timeout
// A rejected promise with a trap; isolated-vm looks at it outside of its own time limit.
function run() { return Promise.reject(new Proxy(new Error("x"), { get() { for (;;) {} } })); }
