// Is Atom A line-local, that is: is its result on a text the concatenation of its results on the lines? The runtime splits
// large files only if it is, so the test tries to refute it: lines alone, reversed, shuffled, repeated, behind every line
// that the atom's own patterns describe, more often than any number in its source. Code that carries a variable from one
// line to the next is never line-local. A wrong "no" only costs time; a wrong "yes" would give wrong results.
import type { ParsedItem } from "../contract/atoms.ts";
import type { AtomRuns, RunInput } from "./atom-runs.ts";
import { diffRecords } from "./compare.ts";
import { PROSE } from "./plain-texts.ts";
import { Random } from "./random.ts";
import type { Observation, Sample } from "./samples.ts";
import { spread } from "./samples.ts";
import { show } from "./show.ts";

/** Lines that are run alone. */
const MAX_LINES = 700;
const MAX_REPEATS = 5_000;

export interface LocalityAim {
  observations: readonly Observation[];
  samples: readonly Sample[];
  codeLines: readonly string[];
  numbers: readonly number[];
  /** Variables that keep values from line to line. */
  carried: readonly string[];
  seed: number;
}

export interface Locality {
  local: boolean | null;
  evidence: string;
}

/** Tests line locality; null if there is no record to test it with. */
export async function examineLocality(runs: AtomRuns, aim: LocalityAim): Promise<Locality> {
  const [first] = aim.samples;
  if (!first) return { local: null, evidence: "no record was found in an observed log" };
  if (aim.observations.some((o) => o.records.some((r) => r.line_number === null))) {
    return { local: false, evidence: "records without a line number belong to a whole file" };
  }
  if (aim.carried.length > 0) {
    return {
      local: false,
      evidence: `the code carries ${aim.carried.slice(0, 3).join(", ")} from line to line`,
    };
  }
  const pool = linePool(aim);
  const run = (text: string): RunInput => ({
    text,
    sourceFile: first.path,
    gate: "gate4_stability",
    what: "single lines",
    odd: true,
  });
  const singles = await runs.runMany(pool.map((line) => run(`${line}\n`)));
  const alone = new Map<string, ParsedItem[]>();
  for (const [i, line] of pool.entries()) {
    const single = singles[i];
    if (!single?.ok) return { local: null, evidence: "a single line could not be read" };
    alone.set(line, single.records);
  }
  const texts = compositions(aim, pool, alone);
  let cuts = 0;
  const wholes = await runs.runMany(texts.map(({ lines }) => run(`${lines.join("\n")}\n`)));
  for (const [i, { lines, what }] of texts.entries()) {
    const whole = wholes[i];
    const expected = lines.flatMap((line, at) =>
      (alone.get(line) ?? []).map((r) => ({ ...r, line_number: (r.line_number ?? 1) + at })),
    );
    if (!whole?.ok) return { local: null, evidence: "a text could not be read" };
    const { missing, extra } = diffRecords(expected, whole.records);
    const [different] = [...missing, ...extra];
    if (different)
      return { local: false, evidence: `${what}: ${show(different.value, 60)} depends on other lines` };
    cuts += lines.length - 1;
  }
  return {
    local: true,
    evidence: `equal at ${cuts} cuts in ${texts.length} texts made of ${pool.length} lines`,
  };
}

/** Distinct lines: of records, lines that the code describes, prose, and other lines of the samples. */
function linePool(aim: LocalityAim): string[] {
  const pool = new Set<string>();
  for (const { records } of aim.observations) {
    for (const record of spread(records, 150))
      for (const line of record.matched_content.split("\n")) pool.add(line);
  }
  // Beginnings and ends of lines of records: a pattern with spaces that match line ends joins them with the next line.
  for (const line of spread([...pool], 8)) {
    for (const part of partsOf(line)) pool.add(part);
  }
  for (const line of aim.codeLines.slice(0, 120)) pool.add(line);
  for (const line of aim.codeLines.slice(0, 6)) for (const part of partsOf(line)) pool.add(part);
  for (const line of PROSE) pool.add(line);
  for (const sample of aim.samples) {
    for (const line of sample.text.split("\n")) {
      if (pool.size >= MAX_LINES) return [...pool];
      pool.add(line);
    }
  }
  return [...pool];
}

/** The texts before and after each gap of a line. */
function partsOf(line: string): string[] {
  const gaps = [...line.matchAll(/\s+|(?<=\S)(?=[^\p{L}\p{N}\s])|(?<=[^\p{L}\p{N}\s])(?=\S)/gu)].slice(0, 10);
  return gaps.flatMap((gap) => [
    line.slice(0, gap.index),
    line.slice(gap.index),
    line.slice(0, gap.index + gap[0].length),
  ]);
}

function compositions(
  aim: LocalityAim,
  pool: readonly string[],
  alone: ReadonlyMap<string, ParsedItem[]>,
): { lines: string[]; what: string }[] {
  const known = (line: string): boolean => alone.has(line);
  const hits = pool.filter((line) => (alone.get(line)?.length ?? 0) > 0);
  const random = new Random(aim.seed);
  const texts = aim.samples.map((sample) => {
    const lines = sample.text.split("\n").filter(known);
    return { lines, what: `the log ${sample.path}` };
  });
  const add = (what: string, lines: readonly string[]): void => {
    texts.push({ lines: [...lines], what });
  };
  add("all lines", pool);
  add("lines in reverse", [...pool].reverse());
  for (let i = 0; i < 3; i++) add("shuffled lines", shuffle(pool, random));
  add(
    "every line twice",
    pool.flatMap((line) => [line, line]),
  );
  add("the lines twice", [...pool, ...pool]);
  add("records only", hits);
  add("records in reverse", [...hits].reverse());
  const [hit] = hits;
  const some = spread(hits, 3);
  if (hit !== undefined) {
    // A heading that switches something on or off is one of these lines.
    add(
      "records behind every line",
      pool.flatMap((line) => [line, ...some]),
    );
    add(
      "records before every line",
      pool.flatMap((line) => [...some, line]),
    );
    const repeats = Math.max(
      60,
      ...aim.numbers.filter((n) => Number.isInteger(n) && n <= MAX_REPEATS).map((n) => n + 2),
    );
    add("one record many times", new Array<string>(repeats).fill(hit));
    add("a record behind many lines", [...new Array<string>(repeats).fill(""), hit]);
  }
  return texts;
}

function shuffle(list: readonly string[], random: Random): string[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = random.int(i + 1);
    const a = out[i];
    const b = out[j];
    if (a !== undefined && b !== undefined) {
      out[i] = b;
      out[j] = a;
    }
  }
  return out;
}
