// expect: timeout
// A replacer that never answers.
function run() { return "aaaa".replace(/a/g, () => { for (;;) {} }); }
