// expect: threw
// Undefined thrown.
function run() { throw undefined; }
