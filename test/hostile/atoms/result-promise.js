// expect: result_invalid
// A promise.
function run() { return Promise.resolve([]); }
