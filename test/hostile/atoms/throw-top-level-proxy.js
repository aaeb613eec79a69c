// expect: timeout|threw|crashed
// A Proxy thrown at top level.
throw new Proxy(new Error("x"), { get() { for (;;) {} }, getPrototypeOf() { for (;;) {} }, has() { for (;;) {} } });
function run() {}
