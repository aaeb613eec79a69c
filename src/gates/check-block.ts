// Part of the gate consistency, where the page has a check block: the config says what the block says. Both are
// compared after L0, so spelling does not count. What the words of the page seem to say is then a warning: the block
// is what the person said exactly. Contract, section 6.
// Built against: configs of an author, or edits of a person, that follow the prose where the block says otherwise.
import type { NormalizedConfig } from "../contract/config.ts";
import { withoutWaivers } from "../runtime/edit-waivers.ts";
import { readCheckBlock } from "../runtime/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import { checkConfigWords } from "./config-words.ts";
import { Findings } from "./findings.ts";
import { show } from "./show.ts";

/** Compares the config with the check block, if there is one, and with the words of the page, if it is at hand. */
export function checkAgainstPage(
  given: NormalizedConfig,
  page: { check: string | null; spec: ItemSpec | undefined; waived: readonly string[] },
  findings: Findings,
): void {
  const reading = page.check === null ? undefined : readCheckBlock(page.check);
  const named = reading?.ok === true ? reading.config.waivers.waive_items : [];
  // Waivers that were given outside of the page are not part of it.
  const config = withoutWaivers(
    given,
    page.waived.filter((pattern) => !named.includes(pattern)),
  );
  if (reading?.ok !== true) {
    if (page.spec) checkConfigWords(config, page.spec, findings);
    return;
  }
  for (const part of ["requirements", "waivers"] as const) {
    const wanted: Record<string, unknown> = reading.config[part];
    const got: Record<string, unknown> = config[part];
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
      if (JSON.stringify(wanted[key]) === JSON.stringify(got[key])) continue;
      const message = `The check block of the page says \`${part}.${key}\` ${text(wanted[key])}; the config says ${text(got[key])}. The block is the config: copy it.`;
      findings.error("consistency", "config", "check_differs", message);
    }
  }
  if (!page.spec) return;
  const words = new Findings();
  checkConfigWords(config, page.spec, words);
  for (const { gate, atom, code, message } of [...words.sortedErrors(), ...words.sortedWarnings()]) {
    findings.warn(gate, atom, code, `${message} The check block holds.`);
  }
}

function text(value: unknown): string {
  return value === null || value === undefined ? "N/A" : show(value as string | number | string[], 160);
}
