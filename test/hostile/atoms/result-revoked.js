// expect: result_invalid
// A revoked Proxy.
function run() { const { proxy, revoke } = Proxy.revocable([], {}); revoke(); return proxy; }
