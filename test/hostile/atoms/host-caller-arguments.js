// expect: ok [true]
// The arguments of the caller of the atom.
function run() { let c = null; try { c = run.caller && run.caller.arguments; } catch {} return [!c]; }
