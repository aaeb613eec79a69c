// expect: timeout
// A getter in the result.
function run() { return [{ get value() { for (;;) {} } }]; }
