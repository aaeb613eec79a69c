// expect: timeout|threw|crashed
// An endless message thrown at top level.
throw { get message() { for (;;) {} }, get stack() { for (;;) {} } };
function run() {}
