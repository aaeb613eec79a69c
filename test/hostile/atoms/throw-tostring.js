// expect: threw
// A conversion of the error that never ends.
function run() { throw { toString() { for (;;) {} }, [Symbol.toPrimitive]() { for (;;) {} } }; }
