// expect: threw
// The Function constructor.
function run() { return run.constructor("return process")(); }
