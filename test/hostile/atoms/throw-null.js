// expect: threw
// Nothing thrown.
function run() { throw null; }
