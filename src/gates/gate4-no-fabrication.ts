// gate4_no_fabrication: an empty text, blank lines and prose give no record, and neither does a log of errors, unless the
// atom extracts errors. Proves that no record is invented. Cannot prove that a record of a real log is the required one. A
// format as general as "every line" or "key: value" may match these texts: such an atom also matches them behind a real
// log, unlike one with a fallback.
// Targets sentinel records ("nothing found"), constants, fallbacks to the first line.
import type { ParsedItem } from "../contract/atoms.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { AtomRuns } from "./atom-runs.ts";
import { diffRecords } from "./compare.ts";
import { type Findings, together } from "./findings.ts";
import { ERROR_LOG, PROSE } from "./plain-texts.ts";
import type { Observation, Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const GATE = "gate4_no_fabrication";
const SOURCE = "/logs/unrelated.log";

export interface FabricationAim {
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
  literals: Literals;
  observations: readonly Observation[];
  sample: Sample | undefined;
}

/** Runs the gate. */
export async function runNoFabricationGate(
  runs: AtomRuns,
  aim: FabricationAim,
  findings: Findings,
): Promise<void> {
  const path = aim.sample?.path ?? SOURCE;
  await together(findings, [
    (part) => checkBlank(runs, path, part),
    (part) => checkProse(runs, path, part),
    (part) => checkErrorLog(runs, path, aim, part),
  ]);
  findings.ran(GATE);
}

async function checkBlank(runs: AtomRuns, path: string, findings: Findings): Promise<void> {
  const inputs = ["", "\n", "\n\n\n\n", "   \n\t\n \n"].map((text) => {
    const what = text === "" ? "an empty text" : "a text of blank lines";
    return { text, sourceFile: path, gate: GATE, what } as const;
  });
  const results = await runs.runMany(inputs);
  for (const [i, { text, what }] of inputs.entries()) {
    const run = results[i];
    const [first] = run?.ok ? run.records : [];
    if (!first) continue;
    const message = `Nothing found must give an empty array; ${what} gave the record ${describe(first)}.`;
    findings.error(GATE, "atom_a", "record_on_empty", message, { example: show(text) });
  }
}

async function checkProse(runs: AtomRuns, path: string, findings: Findings): Promise<void> {
  const text = `${PROSE.join("\n")}\n`;
  const run = await runs.run({ text, sourceFile: path, gate: GATE, what: "unrelated prose" });
  if (!run.ok || run.records.length === 0) return;
  const filled = PROSE.filter((line) => line.trim() !== "").length;
  const lines = new Set(run.records.map((r) => r.line_number));
  lines.delete(null);
  const [first] = run.records;
  if (lines.size >= filled / 2) {
    const message = `Every line counts as a record, also in unrelated prose: ${describe(first)}. Correct only if the format really is "any line".`;
    findings.warn(GATE, "atom_a", "catches_everything", message);
    return;
  }
  const message = `A text of unrelated prose must give no record; it gave ${describe(first)}.`;
  findings.error(GATE, "atom_a", "record_on_prose", message, { example: show(PROSE.slice(0, 3).join("\n")) });
}

async function checkErrorLog(
  runs: AtomRuns,
  path: string,
  aim: FabricationAim,
  findings: Findings,
): Promise<void> {
  const text = `${ERROR_LOG.join("\n")}\n`;
  const run = await runs.run({ text, sourceFile: path, gate: GATE, what: "a log of pure errors" });
  if (!run.ok || run.records.length === 0) return;
  const [first] = run.records;
  const message = `A log of pure errors must give no record of this format; it gave ${describe(first)}.`;
  const example = show(ERROR_LOG[(first?.line_number ?? 1) - 1] ?? ERROR_LOG[0]);
  if (isWanted(run.records, aim)) {
    findings.warn(GATE, "atom_a", "record_on_errors", `${message} Correct if the page requires errors.`, {
      example,
    });
    return;
  }
  if (!aim.sample) {
    findings.warn(GATE, "atom_a", "record_on_errors", message, { example });
    return;
  }
  // A general format also matches these lines behind a real log; a fallback for "nothing found" does not.
  const { sample } = aim;
  const base = sample.text.endsWith("\n") || sample.text === "" ? sample.text : `${sample.text}\n`;
  const shift = base.split("\n").length - 1;
  const both = await runs.run({
    text: base + text,
    sourceFile: path,
    gate: GATE,
    what: "a real log followed by errors",
  });
  if (!both.ok) return;
  const { missing } = diffRecords(run.records, both.records, shift);
  if (missing.length === 0 && !isAimed(run.records, aim)) {
    findings.warn(
      GATE,
      "atom_a",
      "record_on_errors",
      `${message} The format is so general that error lines fit it.`,
      { example },
    );
  } else findings.error(GATE, "atom_a", "record_on_errors", message, { example });
}

/** Does the atom extract errors on purpose? So if the config expects none, or if the words of the line in the code also
 * occur in a real record, on the page or in the config. */
function isWanted(records: readonly ParsedItem[], aim: FabricationAim): boolean {
  if (aim.config?.requirements.expect === "absent") return true;
  const known = [
    ...aim.observations.flatMap((o) => o.records.slice(0, 200).map(textOf)),
    aim.spec?.sections["1"]?.text ?? "",
    aim.spec?.sections["4.1"]?.text ?? "",
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
  ]
    .join("\n")
    .toLowerCase();
  const words = wordsOfCode(aim.literals);
  return records.every((record) =>
    wordsOf(textOf(record)).some((word) => words.has(word) && known.includes(word)),
  );
}

/** Are error lines matched by words of the code that no real record has? Words on a line of code with a word of a real
 * record belong to the same format. */
function isAimed(records: readonly ParsedItem[], { literals, observations }: FabricationAim): boolean {
  const known = new Set(
    observations.flatMap((o) => o.records.slice(0, 200).flatMap((r) => wordsOf(textOf(r)))),
  );
  if (known.size === 0) return false;
  const perLine = new Map<number, string[]>();
  for (const { line, text } of [
    ...literals.texts.filter((t) => t.decides),
    ...literals.patterns.map(({ line, source }) => ({ line, text: source })),
  ]) {
    perLine.set(line, [...(perLine.get(line) ?? []), ...wordsOf(text)]);
  }
  const foreign = [...perLine.values()].filter((words) => !words.some((word) => known.has(word))).flat();
  return records.some((record) => wordsOf(textOf(record)).some((word) => foreign.includes(word)));
}

function wordsOfCode({ texts, patterns }: Literals): Set<string> {
  return new Set([...texts.map((t) => t.text), ...patterns.map((p) => p.source)].flatMap(wordsOf));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

function textOf({ value, matched_content }: ParsedItem): string {
  return `${value} ${matched_content}`;
}

function describe(record: ParsedItem | undefined): string {
  if (!record) return "a record";
  return show(
    { value: record.value, line_number: record.line_number, matched_content: record.matched_content },
    200,
  );
}
