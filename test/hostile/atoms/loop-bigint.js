// expect: timeout|threw
// Numbers that double their digits.
function run() { let x = 3n; for (;;) x *= x; }
