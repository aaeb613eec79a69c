// Reads main_plan.md: phases with their marks. The rest of the file belongs to the model.

export interface PlanPhase {
  number: number;
  name: string;
  state: "complete" | "current" | "open";
}

const COMPLETE = "✓ COMPLETE";
const CURRENT = "← CURRENT";
const HEADING = /^#{2,4}[ \t]+Phase[ \t]+(\d{1,4})[ \t]*[:.–—-]?[ \t]*(.*)$/;

/** The phases in the order of the page. Ignores headings inside code fences. */
export function readPlan(markdown: string): PlanPhase[] {
  const phases: PlanPhase[] = [];
  let fence = "";
  for (const line of markdown.split(/\r?\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) fence = fence === "" ? (mark[0] ?? "") : fence === mark[0] ? "" : fence;
    const heading = fence === "" ? HEADING.exec(line) : null;
    if (heading === null) continue;
    const [, number = "", rest = ""] = heading;
    const complete = rest.includes(COMPLETE);
    const current = rest.includes(CURRENT);
    const name = rest.replace(COMPLETE, "").replace(CURRENT, "").trim();
    phases.push({
      number: Number(number),
      name: name === "" ? `Phase ${Number(number)}` : name,
      state: current ? "current" : complete ? "complete" : "open",
    });
    if (complete && current) phases.push({ number: Number(number), name, state: "complete" });
  }
  return phases;
}

export function hasCurrentPhase(markdown: string): boolean {
  return readPlan(markdown).some((phase) => phase.state === "current");
}

/** The problem of a page that is not a valid plan, or undefined. */
export function planProblem(markdown: string): string | undefined {
  const phases = readPlan(markdown);
  if (phases.length === 0) return 'there is no heading of the form "## Phase 1: NAME"';
  const numbers = phases.map((phase) => phase.number);
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index);
  if (twice !== undefined) return `phase ${twice} occurs twice, or has both marks`;
  const current = phases.filter((phase) => phase.state === "current");
  if (current.length > 1) return `${current.length} phases are marked "${CURRENT}"; at most one may be`;
  if (current.length === 0 && phases.some((phase) => phase.state === "open")) {
    return `there are open phases, but none is marked "${CURRENT}"`;
  }
  return undefined;
}

/** The plan with phase `from` and all later ones open again, and `from` the current one. */
export function reopened(markdown: string, from: number): string {
  return markdown
    .split("\n")
    .map((line) => {
      const heading = HEADING.exec(line);
      if (heading === null) return line;
      const number = Number(heading[1]);
      const plain = line.replace(CURRENT, "").trimEnd();
      if (number < from) return plain;
      const open = plain.replace(COMPLETE, "").trimEnd();
      return number === from ? `${open} ${CURRENT}` : open;
    })
    .join("\n");
}
