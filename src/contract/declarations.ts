// The declarations of an author about its code, each with a verbatim quote from the page, so that no gate has to read
// prose. docs/contract.md, section 8. The first value of a property is the default for a silent page.
import { z } from "zod";

/** Replaces the quote when the page does not specify a property. */
export const SILENT = "silent";

export const DECLARED = {
  /** Which of the lines that match the format become records. */
  records: { values: ["all", "first", "last", "distinct"], part: "atom_a", sections: ["1", "4.1"] },
  /** Where in a file the records are. */
  scope: { values: ["file", "section", "header"], part: "atom_a", sections: ["1", "4.1"] },
  /** The requirements and waivers of the config. */
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

/** The declarations of one part of a set for a page that is silent on all of them. */
export function silentDeclarations(part: "atom_a" | "config"): Declarations {
  const names = DECLARED_NAMES.filter((name) => DECLARED[name].part === part);
  return Object.fromEntries(
    names.map((name) => [name, { value: DECLARED[name].values[0], quote: SILENT }]),
  ) as Declarations;
}

/** The declarations of one part of a set. */
export function declarationsOf(part: "atom_a" | "config", all: Declarations): Declarations {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => DECLARED[name as DeclaredName].part === part),
  ) as Declarations;
}

/** Reads submitted declarations: `name: {value, quote}`, or `name: silent`. Entries of another form are ignored: the
 * property is then not declared. */
export function readDeclarations(value: unknown): Declarations {
  if (typeof value !== "object" || value === null) return {};
  const submitted = value as Record<string, unknown>;
  const entries = DECLARED_NAMES.flatMap((name) => {
    const entry = submitted[name];
    const expanded = entry === SILENT ? { value: DECLARED[name].values[0], quote: SILENT } : entry;
    const parsed = declarationsSchema.safeParse({ [name]: expanded });
    return expanded === undefined || !parsed.success ? [] : Object.entries(parsed.data);
  });
  return Object.fromEntries(entries) as Declarations;
}

/** The meaning of a silent page, for reports. */
const SILENT_MEANING: Partial<Record<DeclaredName, string>> = {
  extra: "the page is silent on other records: they fail",
  expect: "the page is silent: what is checked must be present",
};

/** One line per declared property, for reports. */
export function describeDeclarations(declarations: Declarations): string[] {
  return DECLARED_NAMES.flatMap((name) => {
    const declared = declarations[name];
    if (declared === undefined) return [];
    const { value, quote } = declared;
    const silent = SILENT_MEANING[name] ?? "the page is silent, so the default applies";
    return [`${name}: ${value} (${quote.trim() === SILENT ? silent : JSON.stringify(quote)})`];
  });
}

/** The question to the author before acceptance, and its answer. */
export const secondLookSchema = z.object({
  asked: z.array(z.string()),
  corrected: z.boolean(),
  reason: z.string(),
});

/** The declarations and the author's last answer in a manifest, one line each. */
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
