// expect: timeout|crashed
// A built-in over a thousand million holes.
function run() { return Array(4294967295).indexOf(1, -1) + Array(1e9).fill(0).length; }
