// expect: threw
// Randomness.
function run() { return Math.random(); }
