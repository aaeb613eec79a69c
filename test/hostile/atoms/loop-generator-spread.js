// expect: memory|timeout|crashed
// An endless generator, spread.
function run() { return [...(function* () { for (;;) yield 1; })()]; }
