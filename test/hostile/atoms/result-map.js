// expect: result_invalid
// A Map would become {}.
function run() { return new Map([[1, 2]]); }
