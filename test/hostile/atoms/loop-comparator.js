// expect: timeout
// A comparator that never answers.
function run() { return [3, 1, 2].sort(() => { for (;;) {} }); }
