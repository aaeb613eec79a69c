// expect: timeout
// An iterator without end.
function run() { let n = 0; for (const x of { [Symbol.iterator]: () => ({ next: () => ({ value: x0, done: false }) }) }) n += x; return n; }
const x0 = 1;
