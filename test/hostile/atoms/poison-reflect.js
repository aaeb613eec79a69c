// expect: ok [1]
// Reflection replaced.
function run() { Reflect.apply = () => 666; Reflect.getPrototypeOf = () => null; Object.keys = () => []; Array.isArray = () => false; return [1]; }
