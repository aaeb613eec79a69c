// expect: threw|memory|crashed|timeout
// Buffers that grow by moving.
function run() { const a = []; for (;;) a.push(new ArrayBuffer(1024).transfer(2 ** 28)); }
