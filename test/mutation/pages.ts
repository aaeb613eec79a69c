// Three pages for every correct set, with different wordings and misleading words: numbers that count something else,
// "must exist" beside "no", names that resemble modes, another language. The quotes of the declarations are sentences
// of the page itself.
import { type Declarations, silentDeclarations } from "../../src/contract/declarations.ts";
import { checkProblems, readItemConfig } from "../../src/runtime/index.ts";
import { type ItemSpec, parseItemSpec } from "../../src/spec/index.ts";
import type { CorrectSet } from "./suite.ts";

export interface Page {
  name: string;
  spec: ItemSpec;
  declarations: Declarations;
}

/** Sentences of one wording; declared ones are quoted. */
interface Wording {
  name: string;
  intro: string;
  records: Record<"first" | "last" | "distinct", string>;
  present: string;
  absent: string;
  info: string;
  patterns: (list: string) => string;
  none: string;
  selective: (list: string) => string;
  global: (list: string) => string;
}

const WORDINGS: readonly Wording[] = [
  {
    name: "plain",
    intro: "Read the lines that look like these",
    records: {
      first: "Only the first such place of a file counts.",
      last: "Of several such places the last one counts.",
      distinct: "Each value counts one time.",
    },
    present: "What is listed has to be there.",
    absent: "Every record that is found is a violation.",
    info: "Other records are fine.",
    patterns: (list) => `Patterns on the value:\n${list}`,
    none: "N/A",
    selective: (list) => `Selective waivers:\n${list}`,
    global: (list) => `Global waiver: all findings are information only.\n${list}`,
  },
  {
    name: "traps",
    intro: "All 512 patterns passed in the pilot; every crossing of type 4 looks like these lines",
    records: {
      first: "No later place replaces the one that stands at the top.",
      last: "What was said before does not matter; the state at the end does.",
      distinct: "It must exist a single time, however often the file says it.",
    },
    present: "The result must exist. No waiver is allowed beyond section 3, and each clock is one pattern.",
    absent:
      "There must be no such line, although the summary must exist and at least one run has to be there.",
    info: "Nothing forbids more of them; two patterns of the old flow are banned elsewhere.",
    patterns: (list) => `Of the nine patterns of the old flow these stay:\n${list}`,
    none: "",
    selective: (list) => `Waivers of the global routing team, of seven waivers in all:\n${list}`,
    global: (list) => `The selective process is over: whatever is found is noted and passes.\n${list}`,
  },
  {
    name: "german",
    intro: "Gelesen werden Zeilen dieser Form",
    records: {
      first: "Maßgeblich ist der Eintrag ganz oben.",
      last: "Maßgeblich ist der Eintrag ganz unten.",
      distinct: "Mehrfachnennungen gelten als eine.",
    },
    present: "Die Einträge sind nachzuweisen.",
    absent: "Jeder Fund ist ein Verstoß.",
    info: "Weitere Einträge sind unschädlich.",
    patterns: (list) => `Muster für den Wert:\n${list}`,
    none: "N/A",
    selective: (list) => `Ausgenommen sind:\n${list}`,
    global: (list) => `Alle Funde sind zur Kenntnis zu nehmen und bestehen.\n${list}`,
  },
];

/** The pages of a set, each with its declarations. */
export function pagesOf(set: CorrectSet): Page[] {
  return WORDINGS.map((wording) => pageOf(set, wording));
}

function pageOf(set: CorrectSet, wording: Wording): Page {
  const reading = readItemConfig(set.sources.config, "generated");
  if (!reading.ok) throw new Error(`${set.name}: its config is wrong`);
  const { requirements, waivers } = reading.config;
  const list = (texts: readonly string[]): string => texts.map((text) => `- \`${text}\``).join("\n");
  const records = set.declarations.records?.value ?? "all";
  const absent = requirements.expect === "absent";
  const info = requirements.value !== null && !absent && requirements.extra === "info";
  const once = records === "all" ? "" : wording.records[records];
  const expected = absent ? wording.absent : wording.present;
  const logic = [
    expected,
    ...(requirements.value === null ? [] : [wording.patterns(list(requirements.pattern_items))]),
    ...(info ? [wording.info] : []),
  ];
  const waiving = waiverText(waivers.value, list(waivers.waive_items), wording);
  const lines = set.logs
    .flatMap(({ text }) => text.split("\n").slice(0, 40))
    .filter((line) => line.trim() !== "");
  // The lines of a clean log show no record.
  const shown = set.style.includes("clean log") ? [] : lines.slice(0, 60);
  const block = shown.length === 0 ? "." : `:\n\`\`\`\n${shown.join("\n")}\n\`\`\``;
  const text = [
    "# ItemSpec: SUITE-1",
    `## 1. Parsing Logic\n${wording.intro}${block}\n${once}`,
    `## 2. Check Logic\n${logic.join("\n\n")}`,
    `## 3. Waiver Logic\n${waiving}`,
    "## 4. Implementation Guide\n### 4.1 Data Source\n`*`\n### 4.2 Special Scenarios\n-\n### 4.3 Test Data\n-",
  ].join("\n\n");
  const mode = waivers.value === 0 ? "global" : "selective";
  const silent = "silent";
  return {
    name: wording.name,
    spec: parseItemSpec(new TextEncoder().encode(`${text}\n`), "SUITE-1_ItemSpec.md", checkProblems),
    declarations: {
      ...silentDeclarations("atom_a"),
      ...(once === "" ? {} : { records: { value: records, quote: once } }),
      expect: { value: requirements.expect, quote: expected },
      ...(requirements.value === null || absent
        ? {}
        : { extra: { value: requirements.extra, quote: info ? wording.info : silent } }),
      check: { value: requirements.value === null ? "existence" : "patterns", quote: silent },
      waivers: { value: waivers.value === null ? "none" : mode, quote: silent },
    },
  };
}

function waiverText(value: number | null, list: string, wording: Wording): string {
  if (value === null) return wording.none;
  return value === 0 ? wording.global(list) : wording.selective(list);
}
