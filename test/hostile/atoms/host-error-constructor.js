// expect: threw
// A constructor through an error.
function run() { try { null.x; } catch (e) { return e.constructor.constructor("return globalThis.process.version")(); } }
