// Part of the gate consistency, for pages with a check block: the config must have the requirements and waivers of the
// block (docs/contract.md, section 6). Both are compared after L0, so notation does not matter. Contradictions to the prose
// of the page are then only warnings, since the block is exact.
// Targets configs of authors, and edits of users, that follow the prose in contradiction to the block.
import type { NormalizedConfig } from "../contract/config.ts";
import { withoutWaivers } from "../runtime/edit-waivers.ts";
import { readCheckBlock } from "../runtime/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import { checkConfigWords } from "./config-words.ts";
import { Findings } from "./findings.ts";
import { show } from "./show.ts";

/** Compares the config with the check block, if there is one, and with the prose of the page, if it is available. */
export function checkAgainstPage(
  given: NormalizedConfig,
  page: { check: string | null; spec: ItemSpec | undefined; waived: readonly string[] },
  findings: Findings,
): void {
  const reading = page.check === null ? undefined : readCheckBlock(page.check);
  const onPage = reading?.ok === true ? reading.config.waivers.waive_items : [];
  // Waivers that were given with `waive` are not on the page.
  const config = withoutWaivers(
    given,
    page.waived.filter((pattern) => !onPage.includes(pattern)),
  );
  if (reading?.ok !== true) {
    if (page.spec) checkConfigWords(config, page.spec, findings);
    return;
  }
  for (const part of ["requirements", "waivers"] as const) {
    const expected: Record<string, unknown> = reading.config[part];
    const actual: Record<string, unknown> = config[part];
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (JSON.stringify(expected[key]) === JSON.stringify(actual[key])) continue;
      const message = `\`${part}.${key}\` is ${text(actual[key])} in the config and ${text(expected[key])} in the check block of the page. Copy the block.`;
      findings.error("consistency", "config", "check_differs", message);
    }
  }
  if (!page.spec) return;
  const fromProse = new Findings();
  checkConfigWords(config, page.spec, fromProse);
  for (const { gate, atom, code, message } of [...fromProse.sortedErrors(), ...fromProse.sortedWarnings()]) {
    findings.warn(gate, atom, code, `${message} The check block takes precedence.`);
  }
}

function text(value: unknown): string {
  return value === null || value === undefined ? "N/A" : show(value as string | number | string[], 160);
}
