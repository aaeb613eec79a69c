// expect: threw
// An endless name on the prototype.
function run() { class E extends Error { get name() { for (;;) {} } } throw new E("x"); }
