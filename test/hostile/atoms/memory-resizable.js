// expect: threw|memory|crashed|timeout
// Buffers that grow after they were counted.
function run() { const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 31 }); b.resize(2 ** 31); new Uint8Array(b).fill(1); a.push(b); } }
