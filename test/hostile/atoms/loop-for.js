// expect: timeout
// The plain endless loop.
function run() { for (;;) {} }
