// expect: threw
// An error formatter of its own.
function run() { "use strict"; try { Error.prepareStackTrace = () => { for (;;) {} }; } catch {} throw new Error("x"); }
