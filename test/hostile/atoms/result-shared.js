// expect: result_too_large|timeout|memory
// Two to the 24th copies of one text.
function run() { let a = "x".repeat(100); for (let i = 0; i < 24; i++) a = [a, a]; return a; }
