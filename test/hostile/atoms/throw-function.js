// expect: threw
// A function thrown.
function run() { throw function f() {}; }
