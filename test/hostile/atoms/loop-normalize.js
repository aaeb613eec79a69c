// expect: timeout|memory|ok 1
// Built-ins that take long, again and again.
function run() { let s = "\u0041\u030a".repeat(1e6); for (let i = 0; i < 1e6; i++) s = s.normalize(i % 2 ? "NFC" : "NFD"); return 1; }
