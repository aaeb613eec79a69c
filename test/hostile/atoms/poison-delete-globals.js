// expect: ok [1]
// Every global deleted.
function run() { for (const k of Object.getOwnPropertyNames(globalThis)) { try { delete globalThis[k]; } catch {} } return [1]; }
