// expect: result_invalid
// An instance of a class.
class A { a = 1; }
function run() { return [new A()]; }
