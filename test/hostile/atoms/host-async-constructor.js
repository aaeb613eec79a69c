// expect: threw
// The constructor of async functions.
function run() { return (async () => {}).constructor("return 1")(); }
