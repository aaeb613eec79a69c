// gate4_no_policy: an error is a proof. A call that failed says nothing about the record.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkProblems } from "../../src/runtime/index.ts";
import { parseItemSpec } from "../../src/spec/index.ts";
import { PROJECT } from "../support/executable.ts";
import { codes, gates, log, VERSIONS } from "./helpers.ts";

const PAGE = join(PROJECT, "fixtures/items/STA-03_ItemSpec.md");
const LOG = join(PROJECT, "fixtures/project/sta/func_ss.log");

/** Message codes in the source, as the page of STA-03 gives them. */
const BY_CODE = `function extract_context(text, source_file) {
  const CODES = ["STA-0110", "STA-0120"];
  return text.split(/\\r?\\n/).flatMap((line, i) => {
    const m = /^\\[[^\\]]*\\] INFO  (\\S+) Reading (\\S+) (\\S+)$/.exec(line);
    if (m === null || !CODES.includes(m[1])) return [];
    return [{ value: m[3], source_file, line_number: i + 1, matched_content: line, parsed_fields: { kind: m[2], code: m[1] } }];
  });
}
`;
const CONFIG = 'description: d\ninput_files: ["*.log"]\nrequirements: {value: N/A}\nwaivers: {value: N/A}\n';

function page(change: (text: string) => string) {
  return parseItemSpec(
    new TextEncoder().encode(change(readFileSync(PAGE, "utf8"))),
    "STA-03_ItemSpec.md",
    checkProblems,
  );
}

test("message codes: fine where the page gives them, an error where it gives none or there is no page", async () => {
  const sources = { atom_a: BY_CODE, config: CONFIG };
  const logs = [log(readFileSync(LOG, "utf8"))];
  const policy = async (spec?: ReturnType<typeof page>) => {
    const { errors, warnings } = await gates(sources, { logs, ...(spec && { spec }) });
    const of = (list: typeof errors) => list.some(({ code }) => code === "value_decides");
    return { error: of(errors), warning: of(warnings) };
  };
  expect(await policy(page((text) => text))).toEqual({ error: false, warning: true });
  expect(await policy()).toMatchObject({ error: true });
  const silent = page((text) => text.replaceAll(/STA-01[12]0/g, "CODE"));
  expect(await policy(silent)).toMatchObject({ error: true });
});

test("a changed line on which the code fails proves nothing about its decisions", async () => {
  // `zeta` is what the config names. The comparison with a neutral name fails, so nothing can be compared.
  const known = '["alpha", "beta", "gamma", "start", "nothing", "end"]';
  const atom_a = VERSIONS.atom_a.replace(
    "if (m) items",
    `if (m && m[1] !== "zeta" && !${known}.includes(m[1])) throw new Error("unknown tool"); if (m && m[1] !== "zeta") items`,
  );
  const config = VERSIONS.config.replace("alpha 1.*", "zeta");
  const report = await gates({ atom_a, config });
  expect(codes(report)).toContain("gate4_no_policy threw");
  expect(report.errors.map(({ code }) => code)).not.toContain("named_value_dropped");
  expect(report.errors.map(({ code }) => code)).not.toContain("value_decides");
});
