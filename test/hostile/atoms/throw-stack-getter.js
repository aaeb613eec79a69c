// expect: threw
// An endless stack getter.
function run() { const e = new Error("x"); Object.defineProperty(e, "stack", { get() { for (;;) {} } }); throw e; }
