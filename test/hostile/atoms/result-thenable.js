// expect: result_invalid
// A thenable that never settles.
function run() { return { then() {} }; }
