// expect: result_invalid
// A BigInt.
function run() { return { a: 1n }; }
