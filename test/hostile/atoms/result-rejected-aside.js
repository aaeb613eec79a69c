// expect: ok []|timeout
// A rejection nobody handles.
function run() { Promise.reject({ get message() { for (;;) {} }, get stack() { for (;;) {} } }); return []; }
