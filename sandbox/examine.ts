// What `doctor` tells of the sandbox: starts one, runs a real atom in it, and says what was reached and what
// could not be applied. Never throws; a sandbox that cannot start is an answer too.
import { AtomsmithError } from "../src/core/errors.ts";
import { createSandbox } from "./index.ts";
import type { JailLevel, SandboxInfo } from "./types.ts";

export type SandboxExamination =
  | {
      ok: true;
      info: SandboxInfo;
      /** Milliseconds from nothing to the first result, unpacking included. */
      first_result_ms: number;
      /** Where the runtime was unpacked just now; absent when it was there. */
      unpacked?: string;
    }
  | { ok: false; message: string; hint?: string };

const PROBE = {
  name: "doctor.js",
  source:
    "function extract_context(text, source_file) { const m = re.search('(?P<v>\\\\d+) warnings', text); return [{ value: m.group('v'), source_file, line_number: 1, matched_content: text, parsed_fields: {} }]; }",
};

/** Starts a sandbox of at least `require`, runs an atom, ends it. */
export async function examineSandbox(require: JailLevel = "process"): Promise<SandboxExamination> {
  const started = performance.now();
  let unpacked: string | undefined;
  try {
    const sandbox = await createSandbox({ require, children: 1 }, (event) => {
      if (event.type === "sandbox" && event.what === "unpacked") unpacked = event.detail;
    });
    try {
      const atom = await sandbox.open(PROBE);
      const outcome = await atom.call("extract_context", ["12 warnings", "doctor.log"]);
      const first_result_ms = performance.now() - started;
      if (!outcome.ok) return { ok: false, message: `${outcome.error.kind}: ${outcome.error.message}` };
      const [record] = outcome.value as { value?: unknown }[];
      if (record?.value !== "12") return { ok: false, message: "the probe gave a wrong result" };
      return {
        ok: true,
        info: sandbox.info,
        first_result_ms,
        ...(unpacked === undefined ? {} : { unpacked }),
      };
    } finally {
      await sandbox.close();
    }
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    const { hint } = error.details;
    return { ok: false, message: error.message, ...(hint === undefined ? {} : { hint }) };
  }
}
