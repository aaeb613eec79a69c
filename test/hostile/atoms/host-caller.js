// expect: ok [true]
// The caller of the atom.
function run() { let c = null; try { c = run.caller; } catch {} return [c === null]; }
