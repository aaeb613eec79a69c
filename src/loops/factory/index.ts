// Public face of the factory loop: work orders that become verified changes in a git repository, or nothing.
export { FACTORY_ROLE } from "./ask.ts";
export { factoryGraph } from "./graph.ts";
export { readOrderFile, readOrderFolder } from "./order-file.ts";
export { writePlan } from "./plan/plan.ts";
export { type RunView, readRun, renderFactoryJunit, renderFactoryPage } from "./report.ts";
export { runOrder } from "./run.ts";
export { runAll } from "./run-all.ts";
