// expect: timeout
// Endless before the function is called.
for (;;) {}
function run() {}
