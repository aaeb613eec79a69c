// Loaded before all tests (bunfig.toml). Processes that tests start end before code of the optimising compilers pays for its
// compilation (docs/measurements/code.md). This process itself read its
// settings when it started.
Object.assign(process.env, {
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_useDFGJIT: "0",
  BUN_JSC_thresholdForJITAfterWarmUp: "1500",
  BUN_JSC_thresholdForJITSoon: "500",
});
