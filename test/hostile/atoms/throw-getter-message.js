// expect: threw
// An error whose message never comes.
function run() { throw { get message() { for (;;) {} } }; }
