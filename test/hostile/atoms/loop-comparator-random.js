// expect: timeout
// Sorting without order.
function run() { let n = 0; const a = Array.from({ length: 200000 }, (_, i) => i); for (;;) a.sort(() => (n++ % 3) - 1); }
