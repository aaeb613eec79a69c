// Runs the gates over sources given as text, in the shared sandbox. Importing it gives every test of a file the
// time that all gates may take on a busy machine.
import { setDefaultTimeout } from "bun:test";
import type { AtomSources } from "../../src/contract/atoms.ts";
import { silentDeclarations } from "../../src/contract/declarations.ts";
import type { GateReport } from "../../src/contract/gates.ts";
import { sha256 } from "../../src/core/hash.ts";
import { type GateInput, ProofCache, runGates } from "../../src/gates/index.ts";
import { REFERENCE_ATOM_B, REFERENCE_ATOM_C } from "../../src/gates/reference-matcher.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import { sharedSandbox } from "../support/sandbox.ts";

setDefaultTimeout(90_000);

export function log(text: string, path = "/logs/a.log"): LoadedText {
  return { path, text, sha256: sha256(text), bytes: text.length, encoding: "utf-8", compressed: false };
}

/** A right set over lines `Tool: NAME version X`. */
export const VERSIONS: AtomSources = {
  atom_a: `function extract_context(text, source_file) {
  const items = [];
  text.split(/\\r?\\n/).forEach((line, i) => {
    const m = /^Tool: (\\w+) version (\\S+)$/.exec(line);
    if (m) items.push({ value: m[1] + " " + m[2], source_file, line_number: i + 1, matched_content: line, parsed_fields: { tool: m[1], version: m[2] } });
  });
  return items;
}
`,
  atom_b: REFERENCE_ATOM_B,
  atom_c: REFERENCE_ATOM_C,
  config: `description: versions of the tools
input_files: ["*.log"]
requirements: {value: 2, pattern_items: ["alpha 1.*", "beta 2"]}
waivers: {value: N/A}
`,
};
export const VERSIONS_LOG = log(
  "start of run\nTool: alpha version 1.4\nnothing here\nTool: beta version 2.0\nTool: gamma version 7.1\nend\n",
);

/** As in a batch: the logic that the tests of a process share is proved once. */
const proofs = new ProofCache();

/** All gates over the right set with some parts replaced. */
export async function gates(parts: Partial<AtomSources>, more: Partial<GateInput> = {}): Promise<GateReport> {
  const input: GateInput = {
    itemId: "T",
    sources: { ...VERSIONS, ...parts },
    logs: [VERSIONS_LOG],
    declarations: silentDeclarations("atom_a"),
    searchRoot: "/logs",
    seed: 1,
    ...more,
  };
  const { signal } = new AbortController();
  return runGates(input, { sandbox: await sharedSandbox(), emit: () => {}, signal, proofs });
}

/** `gate code` of every error. */
export function codes(report: GateReport): string[] {
  return report.errors.map((error) => `${error.gate} ${error.code}`);
}
