// expect: result_invalid
// An endless toJSON on Object.prototype.
function run() { Object.prototype.toJSON = () => { for (;;) {} }; return { a: 1 }; }
