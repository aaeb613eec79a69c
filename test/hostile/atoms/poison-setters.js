// expect: ok [{"kind":"v"}]
// Setters on Object.prototype.
function run() { for (const k of ["kind", "message", "name", "line", "0"]) Object.defineProperty(Object.prototype, k, { set() { for (;;) {} }, get() { return undefined; }, configurable: true }); return [JSON.parse('{"kind": "v"}')]; }
