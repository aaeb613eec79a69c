// expect: ok []
// Names of the host and clocks.
function run() { return ["process", "require", "module", "global", "Buffer", "fetch", "setTimeout", "setInterval", "queueMicrotask", "Deno", "Bun", "ivm", "_ivm", "log", "console", "Date", "performance", "crypto", "WebAssembly", "SharedArrayBuffer", "Atomics", "Intl", "Temporal"].filter((k) => k in globalThis); }
