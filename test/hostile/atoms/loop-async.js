// expect: timeout|result_invalid
// An async function that never settles.
async function run() { for (;;) await null; }
