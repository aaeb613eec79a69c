// Lines in the prose of a page without worked examples: value and fields that Atom A extracts from such a line are compared
// with the texts that the page states for them. Part of gate4_evidence. The prose is ambiguous, so the author is asked once
// before the set is accepted (a suspicion), and nothing is rejected. Worked examples are exact; gate4_examples proves them.
// Targets a `value` that is the wrong column of the right lines.
import type { ParsedItem } from "../contract/atoms.ts";
import { withoutBlocks } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { AtomRuns } from "./atom-runs.ts";
import type { Findings } from "./findings.ts";
import { leaves } from "./leaves.ts";
import { pageExamples } from "./probes.ts";
import type { Observation } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const GATE = "gate4_evidence";
/** Lines of a page that are tried. */
const MAX_LINES = 20;
const MAX_LINE_CHARS = 2_000;

export interface PageLinesAim {
  spec: ItemSpec;
  observations: readonly Observation[];
  literals: Literals;
}

/** Tries the lines of sections 1 and 4.1. */
export async function checkPageLines(runs: AtomRuns, aim: PageLinesAim, findings: Findings): Promise<void> {
  const text = (["1", "4.1"] as const)
    .map((key) => withoutBlocks(aim.spec.sections[key]?.text ?? ""))
    .join("\n");
  const lines = [...new Set(pageExamples(aim.spec).flatMap((example) => example.split("\n")))]
    .filter((line) => /\S\s+\S/.test(line) && line.length <= MAX_LINE_CHARS)
    .slice(0, MAX_LINES);
  if (lines.length === 0) return;
  const sourceFile = aim.observations[0]?.log.path ?? "/logs/page.log";
  const alone = await runs.runMany(
    lines.map((line) => ({
      text: `${line}\n`,
      sourceFile,
      gate: GATE,
      what: "a line of the page",
      odd: true,
    })),
  );
  for (const [i, line] of lines.entries()) {
    const run = alone[i];
    const records = [...(run?.ok ? run.records : []), ...recordsOf(line, aim.observations)];
    const problem = records
      .map((record) => problemOf(line, record, text, aim.literals))
      .find((text) => text !== undefined);
    if (problem === undefined) continue;
    const message = `The page shows the line ${show(line, 160)}; ${problem}. Correct only if the page requires it.`;
    findings.suspect(GATE, "atom_a", "page_line_differs", message, { example: line });
  }
}

/** The records of a line in the observed logs. */
function recordsOf(line: string, observations: readonly Observation[]): ParsedItem[] {
  const content = line.trim();
  return observations.flatMap(({ records }) =>
    records.filter((record) => record.matched_content.trim() === content).slice(0, 1),
  );
}

function problemOf(line: string, record: ParsedItem, page: string, literals: Literals): string | undefined {
  const fields = [...leaves(record.parsed_fields, "")].map(({ path, text }): [string, string] => [
    path,
    text,
  ]);
  for (const [name, actual] of [["value", record.value] as [string, string], ...fields]) {
    const stated = statedFor(name, page).filter((text) => isPartOf(text, line));
    if (stated.length === 0 || stated.some((text) => text === actual)) continue;
    return `for \`${name}\` it states ${stated.map((text) => show(text, 80)).join(" or ")}, and Atom A returns ${show(actual, 80)}`;
  }
  if (statedFor("value", page).some((text) => isPartOf(text, line))) return undefined;
  const candidates = spansOf(page).filter(
    (text) => isPartOf(text, line) && !isFormat(text, record, literals),
  );
  const hasField = candidates.some((text) => fields.some(([, field]) => field === text));
  if (!hasField || candidates.includes(record.value)) return undefined;
  return `of its texts it mentions ${candidates
    .slice(0, 4)
    .map((text) => show(text, 60))
    .join(", ")}, and the value that Atom A returns is ${show(record.value, 80)}`;
}

/** Code spans on lines of the page that begin with a name and a colon or an equals sign, as in lists of fields. */
function statedFor(name: string, page: string): string[] {
  const head = new RegExp(`^\\s*(?:[-*+]|\\d+\\.)?\\s*[*_\`"]*${escaped(name)}[*_\`"]*\\s*[:=]`, "i");
  return page.split("\n").flatMap((line) => {
    const match = head.exec(line);
    return match === null ? [] : spansOf(line.slice(match[0].length));
  });
}

function spansOf(text: string): string[] {
  return [...text.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)]
    .map(([, span = ""]) => span.trim())
    .filter((span) => span !== "");
}

/** Is a text a part of a line, at word boundaries? */
function isPartOf(text: string, line: string): boolean {
  if (text === line.trim() || !/[\p{L}\p{N}]/u.test(text)) return false;
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(text)}(?![\\p{L}\\p{N}_])`, "u").test(line);
}

/** Is a text of the page the name of a field, or part of a literal of the code, and so of the format? */
function isFormat(text: string, record: ParsedItem, { texts, patterns }: Literals): boolean {
  if (Object.hasOwn(record.parsed_fields, text)) return true;
  return (
    texts.some((literal) => literal.text.includes(text)) ||
    patterns.some(({ source }) => source.includes(text))
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
