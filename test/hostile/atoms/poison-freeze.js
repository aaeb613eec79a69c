// expect: ok [1]
// Everything frozen.
function run() { Object.freeze(Object.prototype); Object.freeze(Array.prototype); Object.freeze(globalThis); return [1]; }
