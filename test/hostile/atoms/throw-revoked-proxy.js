// expect: threw|result_invalid
// A revoked Proxy thrown.
function run() { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy; }
