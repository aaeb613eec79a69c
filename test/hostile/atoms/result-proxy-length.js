// expect: result_too_large
// A Proxy that lies about its length.
function run() { return new Proxy([], { get: (t, k) => (k === "length" ? 4294967295 : 1) }); }
