// expect: result_invalid
// An endless toJSON of its own.
function run() { return { toJSON() { for (;;) {} } }; }
