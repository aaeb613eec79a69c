// Formats findings, log lines and earlier attempts for a repair, within a fixed number of tokens; omitted findings are
// counted.
import type { AtomPart } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import { truncate } from "../core/limits.ts";
import type { ObservedText } from "../tools/types.ts";
import type { IterationContext } from "./memory.ts";
import { shownPath } from "./summary.ts";
import type { AttemptRecord } from "./types.ts";

/** Bytes for all findings of a repair: about 2,000 tokens. */
const MAX_FINDINGS_BYTES = 7600;
const MAX_MESSAGE_BYTES = 500;
const MAX_EXAMPLE_BYTES = 400;
const MAX_LINES_BYTES = 4000;
const MAX_HISTORY_BYTES = 2000;

/** The findings about some parts, one entry per gate and code: the first one in full, the others as a number. Findings
 * with a counterexample come first. */
export function formatFindings(errors: readonly GateFinding[], parts: readonly AtomPart[]): string {
  const groups = new Map<string, GateFinding[]>();
  for (const error of errors.filter(({ atom }) => parts.includes(atom))) {
    const key = `${error.gate} ${error.code} ${error.atom}`;
    groups.set(key, [...(groups.get(key) ?? []), error]);
  }
  const sorted = [...groups.values()].sort((a, b) => weight(b) - weight(a));
  // Bytes are reserved for the headings of the remaining groups, so that every group appears.
  let reserved = sorted.reduce((sum, group) => sum + size(headingOf(group)), 0);
  let bytes = 0;
  const entries = sorted.map((group) => {
    reserved -= size(headingOf(group));
    const available = MAX_FINDINGS_BYTES - bytes - reserved;
    const entry =
      [describe(group), describeBriefly(group)].find((text) => size(text) <= available) ?? headingOf(group);
    bytes += size(entry);
    return entry;
  });
  return entries.length === 0 ? "(no finding names a rule)" : truncate(entries.join("\n"), 8000).text;
}

/** Bytes of an entry with its line end. */
function size(entry: string): number {
  return Buffer.byteLength(entry) + 1;
}

function weight(group: GateFinding[]): number {
  return group.some(({ example }) => example !== undefined) ? 1 : 0;
}

function describe(group: GateFinding[]): string {
  const first = group.find(({ example }) => example !== undefined) ?? group[0];
  if (!first) return "";
  const others = new Set(group.map(({ message }) => message));
  others.delete(first.message);
  const second = [...others][0];
  const lines = [
    `- ${first.gate} / ${first.code}${first.line === undefined ? "" : ` (line ${first.line} of the source)`}: ${truncate(first.message, MAX_MESSAGE_BYTES).text}`,
  ];
  if (first.example !== undefined)
    lines.push(`  shown by: ${truncate(first.example, MAX_EXAMPLE_BYTES).text}`);
  if (second !== undefined) lines.push(`  also: ${truncate(second, 200).text}`);
  if (group.length > 1) lines.push(`  (${group.length} findings of this kind)`);
  return lines.join("\n");
}

function describeBriefly(group: GateFinding[]): string {
  return `${headingOf(group)}: ${truncate(group[0]?.message ?? "", 120).text}`;
}

function headingOf(group: GateFinding[]): string {
  const [first] = group;
  return first ? `- ${first.gate} / ${first.code} (${group.length} findings of this kind)` : "";
}

/** The lines of a file that the author has seen, by number. */
type SeenLines = Map<number, string>;

function seenByFile(observed: readonly ObservedText[]): Map<string, SeenLines> {
  const files = new Map<string, SeenLines>();
  for (const { path, startLine, lines } of observed) {
    const seen = files.get(path) ?? new Map<number, string>();
    files.set(path, seen);
    lines.forEach((line, i) => {
      seen.set(startLine + i, line);
    });
  }
  return files;
}

/** The observed log lines that findings quote, each with the line before and after it; without such lines, the first
 * ones that were read. */
export function relevantLines(
  observed: readonly ObservedText[],
  errors: readonly GateFinding[],
  searchRoot: string,
): string {
  const quoted = errors.map(({ message, example }) => `${message}\n${example ?? ""}`).join("\n");
  const files = [...seenByFile(observed)];
  const quotedLines = files.map(([path, seen]): [string, string[]] => {
    const numbers = [...seen].flatMap(([number, line]) =>
      line.trim().length >= 6 && quoted.includes(line.trim()) ? [number - 1, number, number + 1] : [],
    );
    return [path, formatLines(seen, numbers)];
  });
  const shown = quotedLines.some(([, lines]) => lines.length > 0)
    ? quotedLines
    : files
        .slice(0, 2)
        .map(([path, seen]): [string, string[]] => [
          path,
          formatLines(seen, [...seen.keys()].sort((a, b) => a - b).slice(0, 15)),
        ]);
  const out = shown.flatMap(([path, lines]) =>
    lines.length === 0 ? [] : [shownPath(path, searchRoot), ...lines],
  );
  return out.length === 0 ? "(no log was read)" : truncate(out.join("\n"), MAX_LINES_BYTES).text;
}

/** Lines with their numbers, in order; lines that were not seen are omitted. */
function formatLines(seen: SeenLines, numbers: readonly number[]): string[] {
  return [...new Set(numbers)]
    .sort((a, b) => a - b)
    .flatMap((number) => {
      const line = seen.get(number);
      return line === undefined ? [] : [`${number}: ${truncate(line, 300).text}`];
    });
}

/** Earlier attempts: what each failed on, what none of them repaired, and which ones were dropped. */
export function formatHistory(history: readonly AttemptRecord[], iteration: IterationContext): string {
  if (history.length === 0) return "(this is the first repair)";
  const lines = history.map((attempt) => {
    const codes = new Set(attempt.errors.map(({ gate, code }) => `${gate}/${code}`));
    const passed = Object.values(attempt.gates).filter((state) => state === true).length;
    return `- attempt ${attempt.iteration} (${attempt.part}): ${passed} gates passed; failed ${[...codes].join(", ") || "nothing"}`;
  });
  const [first, ...rest] = history.map(
    ({ errors }) => new Set(errors.map(({ gate, code }) => `${gate}/${code}`)),
  );
  const persistent = [...(first ?? [])].filter((code) => rest.every((codes) => codes.has(code)));
  if (history.length > 1 && persistent.length > 0) {
    lines.push(`Never repaired so far: ${persistent.join(", ")}. Do something different about these.`);
  }
  if (iteration.dropped.length > 0) {
    const which = iteration.dropped.join(" and ");
    const many = iteration.dropped.length > 1;
    lines.push(
      `The code above is that of attempt ${iteration.based_on}: attempt${many ? "s" : ""} ${which} passed less and ${many ? "were" : "was"} dropped.`,
    );
  }
  return truncate(lines.join("\n"), MAX_HISTORY_BYTES).text;
}
