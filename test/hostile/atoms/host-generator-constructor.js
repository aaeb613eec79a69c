// expect: threw
// The constructor of generators.
function run() { return Object.getPrototypeOf(function* () {}).constructor("yield process")().next(); }
