// expect: syntax
// An open template.
function run() { return 1; } `
