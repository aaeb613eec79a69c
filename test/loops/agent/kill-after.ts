// Works on a job as `agent resume` does and kills its own process with SIGKILL when the n-th event was emitted.
// Arguments: folder to work in, URL of the server, id of the job, number of the event (0: never).
import { itemTrials } from "../../../src/batch/item-trials.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { EventBus } from "../../../src/core/event-bus.ts";
import { loadAgentConfig, openAgentRun, openJobs, runJob } from "../../../src/loops/agent/index.ts";

const [cwd = "", url = "", id = "", n = "0"] = process.argv.slice(2);
const settings = [
  `llm.agent.base_url=${url}`,
  "llm.agent.model=test-model",
  "execution.enable_streaming=false",
];
const { config } = await loadConfig({ cwd, env: {}, settings });
const bus = new EventBus("killed");
let seen = 0;
bus.subscribe((event) => {
  // Between the end of a call and the flush of its reply nothing can be saved: every other point is counted.
  if (event.type === "model_call_finished") return;
  seen += 1;
  if (seen === Number(n)) process.kill(process.pid, "SIGKILL");
});
const jobs = openJobs(config.loops.agent.workspace);
const signal = new AbortController().signal;
const agent = loadAgentConfig("tidy", config.loops.agent.configs, cwd);
const options = { config, bus, env: {}, commandFlags: [] };
const trials = itemTrials(options, config.paths.output_dir);
const run = await openAgentRun({ ...options, signal }, agent, jobs, trials);
const { document, exit } = await runJob(id, run);
jobs.close();
await trials.close();
process.stdout.write(JSON.stringify({ status: document.status, events: seen }));
process.exit(exit);
