// Clusters of log lines: lines that differ only in numbers, times, paths and single words are in one cluster.
import { mergeTemplates } from "../examples/merge.ts";
import { type Template, templateOf } from "../examples/template.ts";
import type { LogText } from "./places.ts";

export interface LineCluster {
  /** The first line of the cluster. */
  line: string;
  file: number;
  /** Line number, 0-based. */
  at: number;
  count: number;
}

/** Limits over all logs: lines that are read, and clusters before they are merged. */
const MAX_LINES = 200_000;
const MAX_CLUSTERS = 2_000;
/** Characters of a line that are compared. */
const MAX_CHARS = 1000;
/** Words in which lines of one cluster may differ. */
const MAX_MERGE_COST = 1.5;

/** Clusters the lines of logs, the largest cluster first. */
export function clusterLines(logs: readonly LogText[]): LineCluster[] {
  const byMask = new Map<string, LineCluster>();
  let seen = 0;
  for (const [file, { lines }] of logs.entries()) {
    for (const [at, line] of lines.entries()) {
      if (line.trim() === "" || seen >= MAX_LINES) continue;
      seen += 1;
      const mask = maskVariables(line);
      const cluster = byMask.get(mask);
      if (cluster !== undefined) cluster.count += 1;
      else if (byMask.size < MAX_CLUSTERS) byMask.set(mask, { line, file, at, count: 1 });
    }
  }
  const merged: { cluster: LineCluster; template: Template }[] = [];
  for (const cluster of [...byMask.values()].sort((a, b) => b.count - a.count)) {
    const template = templateOf(cluster.line.slice(0, MAX_CHARS), new Map());
    const similar = merged.find((other) => {
      const merge = mergeTemplates(other.template, template);
      if (merge === undefined || merge.own === 0) return false;
      return merge.cost <= MAX_MERGE_COST && merge.kept >= merge.own / 2;
    });
    if (similar !== undefined) similar.cluster.count += cluster.count;
    else merged.push({ cluster: { ...cluster }, template });
  }
  return merged.map(({ cluster }) => cluster).sort((a, b) => b.count - a.count);
}

/** Replaces the text that varies by its form: numbers, times, paths. */
function maskVariables(line: string): string {
  const { elements } = templateOf(line.slice(0, MAX_CHARS), new Map());
  return elements
    .map((element) => (element.kind === "fixed" ? element.text : element.kind === "space" ? " " : "\0"))
    .join("");
}
