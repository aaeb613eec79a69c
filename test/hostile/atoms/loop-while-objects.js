// expect: timeout
// Endless, with garbage on the way.
function run() { let o; while (true) o = { a: 1 }; }
