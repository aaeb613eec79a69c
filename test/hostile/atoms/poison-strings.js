// expect: ok ["a"]
// Every method of strings replaced.
function run() { for (const k of Object.getOwnPropertyNames(String.prototype)) { try { String.prototype[k] = () => 666; } catch {} } return ["a"]; }
