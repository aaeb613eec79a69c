// expect: threw|result_invalid
// Recursion in a getter of the result.
function run() { const o = { get a() { return o.a; } }; return o; }
