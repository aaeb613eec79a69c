// The kinds of lines of a log: lines that differ in numbers, times, paths and in single words are one kind.
import { mergeTemplates } from "../examples/merge.ts";
import { type Template, templateOf } from "../examples/template.ts";
import type { LogText } from "./places.ts";

export interface LineCluster {
  /** The first line of the kind. */
  line: string;
  file: number;
  /** 0-based. */
  at: number;
  count: number;
}

/** Lines looked at over all logs, and kinds kept apart. */
const MAX_LINES = 200_000;
const MAX_KINDS = 2_000;
/** Characters of a line that tell its kind. */
const LOOKED = 1000;
/** Words that lines of one kind may differ in. */
const NEAR = 1.5;

/** The kinds of lines, most frequent first. */
export function clusterLines(logs: readonly LogText[]): LineCluster[] {
  const kinds = new Map<string, LineCluster>();
  let seen = 0;
  for (const [file, { lines }] of logs.entries()) {
    for (const [at, line] of lines.entries()) {
      if (line.trim() === "" || seen >= MAX_LINES) continue;
      seen += 1;
      const key = maskOf(line);
      const known = kinds.get(key);
      if (known !== undefined) known.count += 1;
      else if (kinds.size < MAX_KINDS) kinds.set(key, { line, file, at, count: 1 });
    }
  }
  const merged: { cluster: LineCluster; template: Template }[] = [];
  for (const cluster of [...kinds.values()].sort((a, b) => b.count - a.count)) {
    const template = templateOf(cluster.line.slice(0, LOOKED), new Map());
    const home = merged.find((one) => {
      const merge = mergeTemplates(one.template, template);
      return merge !== undefined && merge.cost <= NEAR && merge.kept >= merge.own / 2 && merge.own > 0;
    });
    if (home !== undefined) home.cluster.count += cluster.count;
    else merged.push({ cluster: { ...cluster }, template });
  }
  return merged.map(({ cluster }) => cluster).sort((a, b) => b.count - a.count);
}

/** A line without what varies by its nature. */
function maskOf(line: string): string {
  const { elements } = templateOf(line.slice(0, LOOKED), new Map());
  return elements
    .map((one) => (one.kind === "fixed" ? one.text : one.kind === "space" ? " " : "\0"))
    .join("");
}
