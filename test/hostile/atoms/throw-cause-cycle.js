// expect: threw
// An error that is its own cause.
function run() { const e = new Error("x"); e.cause = e; throw e; }
