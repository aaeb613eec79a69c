// expect: result_too_large
// A hundred thousand levels.
function run() { let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a; }
