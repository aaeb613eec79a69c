// What an author declares with its code, each with a verbatim quote from the page, so that no gate has to read prose.
// Contract, section 8. The first value of a property is the default where the page is silent.
import { z } from "zod";

/** Stands in place of a quote where the page says nothing about a property. */
export const SILENT = "silent";

export const DECLARED = {
  /** Which of the places that fit the format become records. */
  records: { values: ["all", "first", "last", "distinct"], part: "atom_a", sections: ["1", "4.1"] },
  /** Where in a file records stand. */
  scope: { values: ["file", "section", "header"], part: "atom_a", sections: ["1", "4.1"] },
  /** What the config checks and waives. */
  expect: { values: ["present", "absent"], part: "config", sections: ["2", "3", "4.2"] },
  extra: { values: ["fail", "info"], part: "config", sections: ["2", "3", "4.2"] },
  check: { values: ["existence", "patterns"], part: "config", sections: ["2", "3", "4.2"] },
  waivers: { values: ["none", "selective", "global"], part: "config", sections: ["2", "3", "4.2"] },
} as const;

export type DeclaredName = keyof typeof DECLARED;
export const DECLARED_NAMES = Object.keys(DECLARED) as DeclaredName[];

const declaration = <T extends readonly [string, ...string[]]>(values: T) =>
  z.object({ value: z.enum(values), quote: z.string().max(4_000) }).exactOptional();

export const declarationsSchema = z.object({
  records: declaration(DECLARED.records.values),
  scope: declaration(DECLARED.scope.values),
  expect: declaration(DECLARED.expect.values),
  extra: declaration(DECLARED.extra.values),
  check: declaration(DECLARED.check.values),
  waivers: declaration(DECLARED.waivers.values),
});
export type Declarations = z.infer<typeof declarationsSchema>;

/** The properties that one part of a set declares, all with the value of a silent page. */
export function silentDeclarations(part: "atom_a" | "config"): Declarations {
  const names = DECLARED_NAMES.filter((name) => DECLARED[name].part === part);
  return Object.fromEntries(
    names.map((name) => [name, { value: DECLARED[name].values[0], quote: SILENT }]),
  ) as Declarations;
}

/** The declarations of one part of a set out of all of them. */
export function declarationsOf(part: "atom_a" | "config", all: Declarations): Declarations {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => DECLARED[name as DeclaredName].part === part),
  ) as Declarations;
}

/** What was handed in, as models and people write it: `name: {value, quote}`, or `name: silent`. What is of another
 * form is left out: the property is then not declared. */
export function readDeclarations(value: unknown): Declarations {
  if (typeof value !== "object" || value === null) return {};
  const given = value as Record<string, unknown>;
  const entries = DECLARED_NAMES.flatMap((name) => {
    const entry = given[name];
    const plain = entry === SILENT ? { value: DECLARED[name].values[0], quote: SILENT } : entry;
    const reading = declarationsSchema.safeParse({ [name]: plain });
    return plain === undefined || !reading.success ? [] : Object.entries(reading.data);
  });
  return Object.fromEntries(entries) as Declarations;
}

/** What a silent page means, for those who read a report. */
const MEANS: Partial<Record<DeclaredName, string>> = {
  extra: "the page is silent on other records: they fail",
  expect: "the page is silent: what is checked must be there",
};

/** One line per property for reports; what is not declared is left out. */
export function describeDeclarations(declarations: Declarations): string[] {
  return DECLARED_NAMES.flatMap((name) => {
    const declared = declarations[name];
    if (declared === undefined) return [];
    const { value, quote } = declared;
    const silent = MEANS[name] ?? "the page is silent, so the default stands";
    return [`${name}: ${value} (${quote.trim() === SILENT ? silent : JSON.stringify(quote)})`];
  });
}

/** What the author was asked before acceptance, and its answer. */
export const secondLookSchema = z.object({
  asked: z.array(z.string()),
  corrected: z.boolean(),
  reason: z.string(),
});

/** Declarations and the author's last answer, as a manifest has them, one line each. */
export function describeDeclared(set: {
  declarations?: Declarations | undefined;
  second_look?: z.infer<typeof secondLookSchema> | undefined;
}): string[] {
  const { declarations = {}, second_look: look } = set;
  const lines = describeDeclarations(declarations);
  if (look === undefined) return lines;
  const answer = `${look.corrected ? "Corrected" : "Kept"}: ${look.reason}`;
  return [...lines, `asked before acceptance: ${look.asked.join(" ")} ${answer}`];
}
