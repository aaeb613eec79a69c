// From the page and the observed logs to ranked programs: every kind of reader proposes, what it proposes is run
// on the observed text, and the best is taken when it is clearly the best.
import { lineGroup, type RuleCandidate } from "./groups.ts";
import { interpret } from "./interpret.ts";
import type { Extracted, Program } from "./ir.ts";
import { allLines, type Observation } from "./observe.ts";
import type { Page } from "./page.ts";

export interface Candidate {
  program: Program;
  /** 0 to 1. */
  confidence: number;
  reasons: string[];
  doubts: string[];
  notes: string[];
  /** Records on the observed text, by file. */
  records: Map<string, Extracted[]>;
}

/** Candidates, the most likely first. */
export function synthesize(page: Page, observation: Observation): Candidate[] {
  const lines = allLines(observation.files);
  const perGroup = page.groups.map((group) => {
    const proposals: RuleCandidate[] = [];
    const byExample = lineGroup(group, page, lines);
    if (byExample !== undefined) proposals.push(byExample);
    return proposals.sort((a, b) => b.confidence - a.confidence);
  });
  const first = perGroup.map((proposals) => proposals[0]);
  if (first.some((one) => one === undefined)) return [];
  const rules = first.filter((one): one is RuleCandidate => one !== undefined);
  const program: Program = { title: titleOf(page), rules: rules.map((one) => one.rule) };
  const candidate: Candidate = {
    program,
    confidence: Math.max(0, Math.min(...rules.map((one) => one.confidence))),
    reasons: rules.flatMap((one) => one.reasons),
    doubts: rules.flatMap((one) => one.doubts),
    notes: [...observation.notes, ...rules.flatMap((one) => one.notes)],
    records: runOn(program, observation),
  };
  return [candidate];
}

/** Runs a program on everything that was seen, file by file. */
export function runOn(program: Program, observation: Observation): Map<string, Extracted[]> {
  const records = new Map<string, Extracted[]>();
  for (const file of observation.files) {
    const found = file.segments.flatMap((segment) =>
      interpret(program, segment.lines.join("\n")).map((one) => ({
        ...one,
        line: one.line + segment.startLine - 1,
      })),
    );
    records.set(file.path, found);
  }
  return records;
}

function titleOf(page: Page): string {
  const first = page.statements.find((one) => one.depth === 0)?.sentences[0]?.text ?? "records of the logs";
  return first.replace(/[`*]/g, "").slice(0, 120);
}
