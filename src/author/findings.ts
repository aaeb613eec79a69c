// What the gates found and what was tried, packed for a repair: everything that matters within a fixed number of
// tokens, and whatever is left out is counted.
import type { AtomPart } from "../contract/atoms.ts";
import type { GateFinding } from "../contract/gates.ts";
import { truncate } from "../core/limits.ts";
import type { ObservedText } from "../tools/types.ts";
import type { IterationContext } from "./memory.ts";
import { shownPath } from "./summary.ts";
import type { AttemptRecord } from "./types.ts";

/** Bytes for all findings of one repair: about 2,000 tokens. */
const FINDINGS_BYTES = 7600;
const MESSAGE_BYTES = 500;
const EXAMPLE_BYTES = 400;
const LINES_BYTES = 4000;
const HISTORY_BYTES = 2000;

/** The findings about some parts, one entry per gate and code: the first with its message and counterexample, the
 * rest as a number. Findings with a counterexample come first. */
export function formatFindings(errors: readonly GateFinding[], parts: readonly AtomPart[]): string {
  const groups = new Map<string, GateFinding[]>();
  for (const error of errors.filter(({ atom }) => parts.includes(atom))) {
    const key = `${error.gate} ${error.code} ${error.atom}`;
    groups.set(key, [...(groups.get(key) ?? []), error]);
  }
  const sorted = [...groups.values()].sort((a, b) => weight(b) - weight(a));
  // Every kind of finding is at least named: room for the names of the rest is kept free.
  let reserved = sorted.reduce((sum, group) => sum + size(named(group)), 0);
  let bytes = 0;
  const entries = sorted.map((group) => {
    reserved -= size(named(group));
    const room = FINDINGS_BYTES - bytes - reserved;
    const shown = [describe(group), short(group)].find((entry) => size(entry) <= room) ?? named(group);
    bytes += size(shown);
    return shown;
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
    `- ${first.gate} / ${first.code}${first.line === undefined ? "" : ` (line ${first.line} of the source)`}: ${truncate(first.message, MESSAGE_BYTES).text}`,
  ];
  if (first.example !== undefined) lines.push(`  shown by: ${truncate(first.example, EXAMPLE_BYTES).text}`);
  if (second !== undefined) lines.push(`  also: ${truncate(second, 200).text}`);
  if (group.length > 1) lines.push(`  (${group.length} findings of this kind)`);
  return lines.join("\n");
}

function short(group: GateFinding[]): string {
  return `${named(group)}: ${truncate(group[0]?.message ?? "", 120).text}`;
}

function named(group: GateFinding[]): string {
  const [first] = group;
  return first ? `- ${first.gate} / ${first.code} (${group.length} findings of this kind)` : "";
}

/** Lines of one file that were shown to the author, by number. Reads that overlap are one. */
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

/** Observed log lines that the findings quote, each with a line before and after it; else the first ones seen. Each
 * line stands once, in the order of its file, whatever the number of reads that showed it. */
export function relevantLines(
  observed: readonly ObservedText[],
  errors: readonly GateFinding[],
  searchRoot: string,
): string {
  const quoted = errors.map(({ message, example }) => `${message}\n${example ?? ""}`).join("\n");
  const files = [...seenByFile(observed)];
  const near = files.map(([path, seen]): [string, string[]] => {
    const hits = [...seen].flatMap(([at, line]) =>
      line.trim().length >= 6 && quoted.includes(line.trim()) ? [at - 1, at, at + 1] : [],
    );
    return [path, numbered(seen, hits)];
  });
  const shown = near.some(([, lines]) => lines.length > 0)
    ? near
    : files
        .slice(0, 2)
        .map(([path, seen]): [string, string[]] => [
          path,
          numbered(seen, [...seen.keys()].sort((a, b) => a - b).slice(0, 15)),
        ]);
  const out = shown.flatMap(([path, lines]) =>
    lines.length === 0 ? [] : [shownPath(path, searchRoot), ...lines],
  );
  return out.length === 0 ? "(no log was read)" : truncate(out.join("\n"), LINES_BYTES).text;
}

/** Some lines with their numbers, in order; numbers of lines that were not shown are left out. */
function numbered(seen: SeenLines, wanted: readonly number[]): string[] {
  return [...new Set(wanted)]
    .sort((a, b) => a - b)
    .flatMap((at) => {
      const line = seen.get(at);
      return line === undefined ? [] : [`${at}: ${truncate(line, 300).text}`];
    });
}

/** Earlier attempts in short: what each failed on, what none of them has repaired, and which were dropped. */
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
  const stubborn = [...(first ?? [])].filter((code) => rest.every((codes) => codes.has(code)));
  if (history.length > 1 && stubborn.length > 0) {
    lines.push(`Never repaired so far: ${stubborn.join(", ")}. Do something different about these.`);
  }
  if (iteration.dropped.length > 0) {
    const which = iteration.dropped.join(" and ");
    const many = iteration.dropped.length > 1;
    lines.push(
      `The code above is that of attempt ${iteration.based_on}: attempt${many ? "s" : ""} ${which} passed less and ${many ? "were" : "was"} dropped.`,
    );
  }
  return truncate(lines.join("\n"), HISTORY_BYTES).text;
}
