// Public interface of the factory loop: turns work orders into verified changes of a git repository.
export { FACTORY_ROLE } from "./ask.ts";
export { factoryGraph } from "./graph.ts";
export { readOrderFile, readOrderFolder } from "./order-file.ts";
export { writePlan } from "./plan/plan.ts";
export { type RunView, readRun, renderFactoryJunit, renderFactoryPage } from "./report.ts";
export { runOrder } from "./run.ts";
export { runAll } from "./run-all.ts";
