// expect: timeout
// A conversion that never answers.
function run() { return +{ valueOf() { for (;;) {} } }; }
