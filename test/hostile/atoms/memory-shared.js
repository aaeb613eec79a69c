// expect: threw
// Shared memory.
function run() { return new SharedArrayBuffer(2 ** 30).byteLength; }
