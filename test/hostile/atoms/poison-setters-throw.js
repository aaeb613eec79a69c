// expect: threw
// Setters on Object.prototype, then an error.
function run() { for (const k of ["kind", "message", "name", "line", "0", "1", "2"]) Object.defineProperty(Object.prototype, k, { set() { for (;;) {} }, configurable: true }); throw new TypeError("x"); }
