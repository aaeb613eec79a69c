// expect: timeout
// A replacer of stringify that never answers.
function run() { return JSON.stringify([1], () => { for (;;) {} }); }
