// Paths of the operations on design projects.
import { z } from "zod";
import { projectIdSchema } from "../../design/projects.ts";

export const BASE = "/api/design/{project}";
export const idParams = z.object({ project: projectIdSchema });
