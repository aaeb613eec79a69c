// expect: threw
// Eval.
function run() { return (0, eval)("this.process"); }
