// expect: ok [1]
// Call and apply replaced.
function run() { Function.prototype.call = () => 666; Function.prototype.apply = () => 666; Function.prototype.bind = () => 666; return [1]; }
