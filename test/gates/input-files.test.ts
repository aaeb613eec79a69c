// Input files of a config against the logs that its author observed: in a run they are errors, which go to the author
// who reads the logs.
import { expect, test } from "bun:test";
import { errorSource } from "../../src/gates/index.ts";
import { codes, gates, VERSIONS, VERSIONS_LOG } from "./helpers.ts";

const found = (...files: string[]) => ({ files, diagnostics: [] });
const missing = { severity: "error" as const, code: "input_missing", message: "No file matches x." };

test("globs that find none of the observed logs, or nothing, or are not there", async () => {
  const run = (config: string, inputs: Parameters<typeof gates>[1]) =>
    gates({ config }, { observed: true, ...inputs });
  const fine = await run(VERSIONS.config, { inputs: found(VERSIONS_LOG.path, "/logs/other.log.1.gz") });
  expect([codes(fine), fine.warnings.filter(({ code }) => code.startsWith("input_files"))]).toEqual([[], []]);
  const other = await run(VERSIONS.config, { inputs: found("/logs/other.log") });
  expect(codes(other)).toEqual(["consistency input_files_unobserved"]);
  expect(errorSource(other.errors)).toBe("atom_a");
  const nothing = await run(VERSIONS.config, { inputs: { files: [], diagnostics: [missing] } });
  expect(codes(nothing)).toEqual(["consistency input_files_unmatched"]);
  const none = await run(VERSIONS.config.replace(/^input_files.*\n/m, ""), { inputs: found() });
  expect(codes(none)).toEqual(["consistency input_files_missing"]);
  const kind = await run(VERSIONS.config, {
    inputs: found(VERSIONS_LOG.path, "/logs/a.png", "/logs/README"),
  });
  expect(codes(kind)).toEqual([]);
  expect(kind.warnings.find(({ code }) => code === "input_files_other_kind")?.message).toContain("2 files");
});
