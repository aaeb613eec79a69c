// expect: ok [1.5]
// Number tests replaced.
function run() { Number.isFinite = () => false; Number.isNaN = () => true; globalThis.isFinite = () => false; return [1.5]; }
