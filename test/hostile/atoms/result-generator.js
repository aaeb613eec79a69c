// expect: result_invalid
// A generator.
function* run() { for (;;) yield 1; }
