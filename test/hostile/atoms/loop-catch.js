// expect: timeout
// A catch that would swallow a termination.
function run() { for (;;) { try { for (;;) {} } catch { } } }
