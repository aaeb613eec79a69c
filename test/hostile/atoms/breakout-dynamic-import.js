// expect: result_invalid|threw|crashed
// A dynamic import.
function run() { return import("node:fs"); }
