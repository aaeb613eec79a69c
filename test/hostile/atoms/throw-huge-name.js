// expect: threw|memory|timeout
// A name of 20 MB.
function run() { const e = new Error("x"); e.name = "N".repeat(2e7); throw e; }
