// expect: timeout
// A Proxy that never tells its prototype.
function run() { return new Proxy({}, { getPrototypeOf() { for (;;) {} } }); }
