// expect: timeout
// A reviver that never answers.
function run() { return JSON.parse("[1]", () => { for (;;) {} }); }
