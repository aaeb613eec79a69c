// expect: ok {"constructor":{"prototype":{"admin":true}}}
// Constructor as a key is data.
function run() { return { constructor: { prototype: { admin: true } } }; }
