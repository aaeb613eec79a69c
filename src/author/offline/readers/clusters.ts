// No example on the page: lines of the log are sorted by shape, and one line of each shape is tried as if the
// page had shown it. Accepted only where the words of the page clearly point to one shape.

import { shapeOf, tokenize } from "../logs/tokens.ts";
import { stem, wordsOf } from "../page/names.ts";
import type { Group, Page } from "../page/page.ts";
import type { Span } from "../parts/spans.ts";
import type { LineRule } from "../program/ir.ts";
import { type LineCandidate, leftOutDoubts, lineCandidate } from "./lines.ts";

export interface ClusterCandidate {
  rule: LineRule;
  confidence: number;
  reasons: string[];
  doubts: string[];
}

interface Cluster {
  shape: string;
  lines: string[];
  overlap: number;
}

const MAX_TRIED = 14;

export function clusterGroup(
  group: Group,
  page: Page,
  lines: readonly string[],
): ClusterCandidate | undefined {
  if (group.value === undefined) return undefined;
  const clusters = clustersOf(lines, page, group);
  const tried: { cluster: Cluster; candidate: LineCandidate; score: number }[] = [];
  for (const cluster of clusters.slice(0, MAX_TRIED)) {
    const example = cluster.lines[0] ?? "";
    const candidate = lineCandidate({
      example,
      value: group.value,
      fields: group.fields,
      lists: page.lists,
      constants: new Map(),
      lines,
      stems: page.stems,
      real: true,
      unwanted: page.unwanted,
      unwantedStems: page.unwantedStems,
      varies: variation(example, cluster.lines),
    });
    if (candidate === undefined) continue;
    const score = cluster.overlap + candidate.fit - 4 * candidate.missing.length;
    tried.push({ cluster, candidate, score });
  }
  tried.sort((a, b) => b.score - a.score);
  const first = tried[0];
  if (first === undefined) return undefined;
  const hits = new Set(first.candidate.hits);
  const rival = tried
    .slice(1)
    .find(
      ({ candidate }) => candidate.hits.filter((hit) => hits.has(hit)).length < candidate.hits.length * 0.5,
    );
  const { alternative, variants } = first.candidate;
  const read = [alternative, ...variants].map((one) => new RegExp(one.pattern));
  const doubts = [
    ...first.candidate.doubts,
    ...leftOutDoubts(first.candidate, read),
    "the page shows no example line",
  ];
  let confidence = 0.75;
  if (group.fields.length === 0) confidence -= 0.2;
  if (first.candidate.hits.length < 2) confidence -= 0.15;
  if (first.cluster.overlap < 2) {
    confidence -= 0.3;
    doubts.push("few words of the page stand in these lines");
  }
  if (rival !== undefined && first.score - rival.score < 2) {
    confidence -= 0.3;
    doubts.push(`other lines fit the page nearly as well: ${rival.cluster.lines[0]?.trim() ?? ""}`);
  }
  if (first.candidate.fit < 3) {
    confidence -= 0.2;
    doubts.push("the page says little about which part of the line is which");
  }
  if (first.candidate.margin < 0.8) {
    confidence -= 0.2;
    doubts.push("another reading of the line fits the page nearly as well");
  }
  for (const hint of first.candidate.missing) {
    confidence -= 0.4;
    doubts.push(`no part of the lines could be taken for ${hint.name}`);
  }
  return {
    rule: {
      kind: "line",
      alternatives: [first.candidate.alternative, ...first.candidate.variants],
      unless: [],
      filters: [],
    },
    confidence,
    reasons: [`${first.candidate.hits.length} lines of one shape share the words of the page`],
    doubts,
  };
}

/** Shapes of the observed lines, those with most words of the page first. */
function clustersOf(lines: readonly string[], page: Page, group: Group): Cluster[] {
  const byShape = new Map<string, string[]>();
  for (const line of lines) {
    if (line.trim() === "" || line.length > 1500) continue;
    const shape = shapeOf(line);
    const list = byShape.get(shape);
    if (list === undefined) byShape.set(shape, [line]);
    else if (list.length < 40) list.push(line);
  }
  const frequency = new Map<string, number>();
  const words = new Map<string, Set<string>>();
  for (const shape of byShape.keys()) {
    const stems = new Set(
      wordsOf(shape.replace(/<\w+>/g, " "))
        .filter((word) => word.length > 2)
        .map(stem),
    );
    words.set(shape, stems);
    for (const word of stems) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const total = byShape.size;
  return [...byShape]
    .map(([shape, list]) => {
      let overlap = 0;
      for (const word of words.get(shape) ?? []) {
        if (page.unwantedStems.has(word)) overlap -= 3;
        else if (page.stems.has(word)) overlap += 1.2 - (frequency.get(word) ?? 1) / total;
      }
      for (const text of group.wanted) if (list[0]?.includes(text) === true) overlap += 2;
      for (const text of page.unwanted) if (list[0]?.includes(text) === true) overlap -= 4;
      return { shape, lines: list, overlap };
    })
    .filter((cluster) => cluster.overlap > 0)
    .sort((a, b) => b.overlap - a.overlap || b.lines.length - a.lines.length);
}

/** Does a part of the example differ among the lines of its shape? Unknown when there is only one line. */
function variation(example: string, lines: readonly string[]): (span: Span) => boolean | undefined {
  const base = tokenize(example);
  const others = lines
    .slice(1, 30)
    .map((line) => tokenize(line))
    .filter((tokens) => tokens.length === base.length);
  return (span) => {
    if (others.length < 2) return undefined;
    return base.some(
      (token, index) =>
        token.start >= span.start &&
        token.end <= span.end &&
        others.some((tokens) => tokens[index]?.text !== token.text),
    );
  };
}
