// expect: syntax
// A return at top level.
return 1;
function run() {}
