// expect: ok [true,true]
// The frozen modules changed.
function run() { "use strict"; let a = false; let b = false; try { re.search = null; } catch { a = true; } try { re.compile("x").search("x").constructor.prototype.group = null; } catch { b = true; } return [a, b]; }
