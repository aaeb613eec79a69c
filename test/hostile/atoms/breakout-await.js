// expect: syntax
// Await at top level.
const x = await 1;
function run() { return x; }
