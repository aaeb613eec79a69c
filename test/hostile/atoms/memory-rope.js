// expect: threw|memory|crashed|timeout
// A rope of 512 MB, made flat.
function run() { let s = "xy"; for (let i = 0; i < 28; i++) s += s; return s.toUpperCase().indexOf("q"); }
