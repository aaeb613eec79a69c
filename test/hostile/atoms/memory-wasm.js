// expect: threw
// Memory of WebAssembly.
function run() { return new WebAssembly.Memory({ initial: 65536 }).buffer.byteLength; }
