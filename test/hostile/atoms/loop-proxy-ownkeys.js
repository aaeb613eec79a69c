// expect: timeout
// A Proxy as result.
function run() { return new Proxy({}, { ownKeys() { for (;;) {} } }); }
