// The parameter of the database tools that names a connection.
import { z } from "zod";

export const connection = z
  .string()
  .optional()
  .describe("name of the connection; optional if there is only one");
