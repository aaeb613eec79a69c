// gate4_stability: the same text gives the same records every time, also in a new isolate; a prefix only changes line
// numbers (prefixes.ts); CRLF and the final newline change nothing; a suffix removes no record. Proves it on parts of the
// observed logs. Cannot prove it for texts of other shapes.
// Targets state between calls, wrong positions, a last line that is lost without its newline, "\r" in records, limits on
// lines, characters or records.

import type { ParsedItem } from "../contract/atoms.ts";
import type { FindingCode } from "../contract/finding-codes.ts";
import type { GateName } from "../contract/gates.ts";
import type { AtomRuns, Run, RunInput } from "./atom-runs.ts";
import { describeDifference, diffRecords, isIdentical } from "./compare.ts";
import { type Findings, together } from "./findings.ts";
import { checkShared } from "./gate4-shared.ts";
import { LineIndex, lineOfRecord } from "./grounding.ts";
import { checkKeptFields } from "./kept-fields.ts";
import { leaves } from "./leaves.ts";
import { PROSE } from "./plain-texts.ts";
import { type Sample, spread } from "./samples.ts";
import { show } from "./show.ts";

const GATE: GateName = "gate4_stability";
/** Records at which a sample is truncated. */
const MAX_CUTS = 6;

export interface StabilityAim {
  samples: readonly Sample[];
}

/** Runs the gate; without samples it has no result. */
export async function runStabilityGate(runs: AtomRuns, aim: StabilityAim, findings: Findings): Promise<void> {
  const [first] = aim.samples;
  if (!first) return;
  await together(findings, [
    (part) => checkRepetition(runs, first, part),
    ...aim.samples.flatMap((sample) => [
      (part: Findings) => checkLineEnds(runs, sample, part),
      (part: Findings) => checkCuts(runs, sample, part),
      (part: Findings) => checkSuffix(runs, sample, part),
      (part: Findings) => checkShared(runs, sample, part),
      (part: Findings) => checkKeptFields(runs, sample, part),
    ]),
    (part) => checkFileName(runs, first, part),
  ]);
  findings.ran(GATE);
}

function input(sample: Sample, text: string, what: string): RunInput {
  return { text, sourceFile: sample.path, gate: GATE, what };
}

/** The same text after another one, a third time, and in a new isolate. */
async function checkRepetition(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const other = input(sample, `${PROSE.join("\n")}\n${sample.text.slice(0, 2_000)}`, "another text");
  const [fresh, [, second, third]] = await Promise.all([
    runs.runFresh(input(sample, sample.text, "the log in a new isolate")),
    runs.runUncached([
      other,
      input(sample, sample.text, "the log a second time"),
      input(sample, sample.text, "the log a third time"),
    ]),
  ]);
  const pairs: [Run | undefined, string][] = [
    [fresh, "in a new isolate"],
    [second, "a second time, after another text"],
    [third, "a third time"],
  ];
  for (const [run, how] of pairs) {
    if (!run?.ok || isIdentical(run.records, sample.records)) continue;
    const { missing, extra } = diffRecords(sample.records, run.records);
    const what = describeDifference(missing, extra) ?? "the order differs";
    const message = `The same text must give the same records every time; ${how} ${what}. Keep no state between calls (also no \`lastIndex\` of a top-level regex with the g flag).`;
    findings.error(GATE, "atom_a", "not_repeatable", message);
    return;
  }
}

async function checkLineEnds(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const { text } = sample;
  const bare = text.endsWith("\n") ? text.slice(0, -1) : text;
  const variants: { text: string; code: FindingCode; what: string; rule: string }[] = [
    {
      text: text.replaceAll("\n", "\r\n"),
      code: "crlf",
      what: "the log with CRLF line ends",
      rule: "CRLF line ends must change nothing; split at /\\r?\\n/ and drop the \\r",
    },
    {
      text: bare,
      code: "final_newline",
      what: "the log without its final newline",
      rule: "A missing final newline must change nothing",
    },
    {
      text: `${bare}\n`,
      code: "final_newline",
      what: "the log with a final newline",
      rule: "A final newline must change nothing",
    },
    {
      text: `${bare}\n\n`,
      code: "final_newline",
      what: "the log with an empty last line",
      rule: "An empty line at the end must change nothing",
    },
  ];
  const results = await runs.runMany(variants.map((v) => input(sample, v.text, v.what)));
  variants.forEach((variant, i) => {
    const run = results[i];
    if (!run?.ok) return;
    const { missing, extra } = diffRecords(sample.records, run.records);
    const what = describeDifference(missing, extra);
    if (what === undefined) return;
    const near = lineOfRecord(sample, missing[0]?.line_number ?? null);
    const example = variant.code === "crlf" ? show(`${near}\r\n`) : show(near);
    findings.error(GATE, "atom_a", variant.code, `${variant.rule}; on ${variant.what} ${what}.`, { example });
  });
}

/** The log up to the line of a record, with and without the newline; the log from there, with and without a blank line in
 * front. Each pair must agree, even if the atom reads the part differently than the whole log. */
async function checkCuts(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const index = new LineIndex(sample.text);
  const lines = [...new Set(sample.records.map((r) => r.line_number))].filter((n): n is number => n !== null);
  // Also inside and behind the lines that may belong to a record.
  const ends = spread(lines, 2).flatMap((line) => {
    const next = lines.find((other) => other > line) ?? index.count;
    return [1, 2, 3, 4, 5, 6].map((offset) => line + offset).filter((n) => n < next);
  });
  const chosen = [...new Set([...spread(lines, MAX_CUTS), ...ends])];
  const pairs = chosen.flatMap((line) => {
    const head = index.slice(1, line);
    const tail = sample.text.slice(index.startOf(line));
    const last = "A last line without its newline must be read like any other";
    const first = "The first line of a text must be read like any other";
    const pair = { line, a: `${head}\n`, b: head, shift: 0, rule: last };
    return ends.includes(line) ? [pair] : [pair, { line, a: tail, b: `\n${tail}`, shift: 1, rule: first }];
  });
  const results = await runs.runMany(
    pairs.flatMap((pair) => [
      input(sample, pair.a, `the log truncated at line ${pair.line}`),
      input(sample, pair.b, `the log truncated at line ${pair.line}, with another border`),
    ]),
  );
  pairs.forEach((pair, i) => {
    const a = results[2 * i];
    const b = results[2 * i + 1];
    if (!a?.ok || !b?.ok) return;
    const { missing, extra } = diffRecords(a.records, b.records, pair.shift);
    const what = describeDifference(missing, extra);
    if (what === undefined) return;
    const code = pair.shift === 0 ? "last_line" : "first_line";
    const example = show(index.line(pair.line) ?? "");
    findings.error(GATE, "atom_a", code, `${pair.rule}; in the log truncated at line ${pair.line} ${what}.`, {
      example,
    });
  });
}

/** Lines behind the log. A record of several lines may include them; no record may disappear. */
async function checkSuffix(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const base = sample.text.endsWith("\n") ? sample.text : `${sample.text}\n`;
  const count = base.split("\n").length - 1;
  const suffixes = [new Array<string>(40).fill(""), PROSE];
  const results = await runs.runMany(
    suffixes.map((after) => input(sample, `${base}${after.join("\n")}\n`, "the log followed by other lines")),
  );
  for (const [i, after] of suffixes.entries()) {
    const run = results[i];
    if (!run?.ok) return;
    const { missing, extra } = diffRecords(sample.records, run.records);
    const lost = missing.filter((record) => !extra.some((other) => other.line_number === record.line_number));
    const invented = extra.filter(
      (record) =>
        (record.line_number ?? 0) <= count && !missing.some((m) => m.line_number === record.line_number),
    );
    const what = describeDifference(lost, invented);
    if (what === undefined) {
      const [changed] = missing;
      if (changed && after === PROSE && includesProse(sample, extra)) {
        const message = `A record includes unrelated lines behind the log, although all observed records are within their own lines: ${show({ value: changed.value, line_number: changed.line_number })}. Detect the end of a record.`;
        findings.error(GATE, "atom_a", "runs_on", message);
        return;
      }
      if (changed) {
        const message = `A record includes the lines behind the log: ${show({ value: changed.value, line_number: changed.line_number })}.`;
        findings.warn(GATE, "atom_a", "takes_in_what_follows", message);
      }
      continue;
    }
    const message = `Unrelated lines after a log must not change its records; with ${after.length} lines after it ${what}.`;
    findings.error(GATE, "atom_a", "suffix_changes_records", message);
    return;
  }
}

/** Do changed records contain unrelated lines, although all records of the log are within their own lines? */
function includesProse(sample: Sample, changed: readonly ParsedItem[]): boolean {
  const texts = (record: ParsedItem): string[] => [
    record.value,
    record.matched_content,
    ...[...leaves(record.parsed_fields, "")].map((leaf) => leaf.text),
  ];
  const lines = sample.text.split("\n");
  const single = sample.records.every((record) => {
    const own = lines[(record.line_number ?? 0) - 1] ?? "";
    const words = new Set(own.match(/[\p{L}\p{N}]+/gu) ?? []);
    return texts(record).every((text) =>
      (text.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => words.has(word)),
    );
  });
  const prose = PROSE.filter((line) => line !== "");
  return (
    single &&
    changed.some((record) => texts(record).some((text) => prose.some((line) => text.includes(line.trim()))))
  );
}

async function checkFileName(runs: AtomRuns, sample: Sample, findings: Findings): Promise<void> {
  const run = await runs.run({
    ...input(sample, sample.text, "the log under another name"),
    sourceFile: "/elsewhere/renamed.txt",
  });
  if (!run.ok || run.records.length === sample.records.length) return;
  const message = `Under another file name the same text gives ${run.records.length} records instead of ${sample.records.length}. Correct only if the format depends on the name.`;
  findings.warn(GATE, "atom_a", "depends_on_file_name", message);
}
