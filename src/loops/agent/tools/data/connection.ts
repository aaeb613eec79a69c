// The parameter by which the tools over databases name one.
import { z } from "zod";

export const connection = z
  .string()
  .optional()
  .describe("name of the connection; may be left out where there is one");
