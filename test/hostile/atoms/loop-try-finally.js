// expect: timeout
// A finally that would swallow a termination.
function run() { for (;;) { try { for (;;) {} } finally { continue; } } }
