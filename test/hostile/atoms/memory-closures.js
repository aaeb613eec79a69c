// expect: memory|timeout|crashed
// A chain of closures.
function run() { let f = () => 0; for (;;) { const g = f; f = () => [g, 1, 2, 3]; } }
