// expect: ok [1,2]
// The iterator of arrays replaced.
function run() { Array.prototype[Symbol.iterator] = function* () { yield 666; }; return [1, 2]; }
