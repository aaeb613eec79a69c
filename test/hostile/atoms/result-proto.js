// expect: ok {"__proto__":{"admin":true}}
// __proto__ as a key is data.
function run() { return JSON.parse('{"__proto__": {"admin": true}}'); }
