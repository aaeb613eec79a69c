// expect: timeout|threw
// A Proxy as error.
function run() { throw new Proxy(new Error("x"), { getOwnPropertyDescriptor() { for (;;) {} }, get() { for (;;) {} }, getPrototypeOf() { for (;;) {} } }); }
