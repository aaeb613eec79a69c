// expect: ok [0]
// Call sites of the host.
function run() { Error.prepareStackTrace = (_, sites) => sites; const s = new Error("x").stack; return [typeof s === "string" ? 0 : s.length]; }
