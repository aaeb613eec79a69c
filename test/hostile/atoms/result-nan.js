// expect: result_invalid
// NaN would become null.
function run() { return [{ line_number: 0 / 0 }]; }
