// expect: result_invalid
// A getter toJSON on Array.prototype.
function run() { Object.defineProperty(Array.prototype, "toJSON", { get() { for (;;) {} } }); return [1]; }
