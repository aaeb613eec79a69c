// expect: threw
// Sleep.
function run() { return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1e9); }
