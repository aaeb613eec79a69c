// expect: timeout
// Endless in a static block.
class A { static { for (;;) {} } }
function run() {}
