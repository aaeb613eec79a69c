// expect: threw
// The clock.
function run() { return Date.now(); }
