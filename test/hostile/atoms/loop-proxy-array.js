// expect: timeout
// A Proxy of an array.
function run() { return new Proxy([], { get() { for (;;) {} } }); }
