// Runs an item as `generate` does and kills its own process with SIGKILL when the n-th event of a type is emitted: at
// a border between stages, or right after a stored reply was used.
// Arguments: config file, spec, out, cache, event type, n.
import { loadConfig } from "../../../src/config/load.ts";
import { EventBus } from "../../../src/core/event-bus.ts";
import { createRunServices, identifySpec, runItem } from "../../../src/loops/item/index.ts";

const [file = "", spec = "", logs = "", out = "", cache = "", type = "", n = ""] = process.argv.slice(2);
const { config } = await loadConfig({
  cwd: process.cwd(),
  env: {},
  file,
  settings: [],
  flags: [
    { key: "paths.search_root", value: logs, flag: "--search-root" },
    { key: "paths.output_dir", value: out, flag: "--out" },
    { key: "paths.cache_dir", value: cache, flag: "--cache" },
  ],
});
const bus = new EventBus("killed");
let count = 0;
bus.subscribe((event) => {
  if (event.type !== type) return;
  count += 1;
  if (count === Number(n)) process.kill(process.pid, "SIGKILL");
});
const { itemId, sha256 } = await identifySpec(spec);
const run = createRunServices({
  config,
  bus,
  env: process.env,
  signal: new AbortController().signal,
  seed: 7,
  commandFlags: [],
});
await runItem({ itemId, specPath: spec, specSha256: sha256, reason: "test", mode: "continue" }, run);
await run.close();
process.exit(0);
