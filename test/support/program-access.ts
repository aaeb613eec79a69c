// The access of the offline author to logs and examples, over a folder of a test.
import type { AuthorContext } from "../../src/author/types.ts";
import { readText } from "../../src/logio/index.ts";
import type { WorkedExample } from "../../src/spec/example.ts";
import { openLogFolder } from "../../src/tools/log-folder.ts";

/** All logs below a folder, with these examples and no records. */
export function programAccess(
  searchRoot: string,
  examples: readonly WorkedExample[] = [],
): Pick<AuthorContext, "logs" | "examples" | "records"> {
  return {
    logs: openLogFolder({
      searchRoot,
      hidden: [],
      variables: {},
      limits: { files: 1000, ms: 10_000 },
      signal: new AbortController().signal,
      read: (path) => readText(path, { maxBytes: 64 * 2 ** 20 }),
    }),
    examples,
    records: async () => [],
  };
}
