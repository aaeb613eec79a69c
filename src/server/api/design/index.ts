// Design projects: their content, and decisions, which are commands of `design`.
import { DESIGN_KINDS } from "../../design/kinds.ts";
import { projectMarks } from "../../design/projects.ts";
import type { ServerModule } from "../../types.ts";
import { decisionRoutes } from "./decisions.ts";
import { readRoutes } from "./read.ts";

export const designModule: ServerModule = {
  kinds: DESIGN_KINDS,
  watches: [{ event: "design_changed", marks: ({ options }) => projectMarks(options.config) }],
  routes: [...readRoutes(), ...decisionRoutes()],
};
