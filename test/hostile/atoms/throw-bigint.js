// expect: threw
// A BigInt thrown.
function run() { throw 10n; }
