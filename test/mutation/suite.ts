// The mutation suite: correct atom sets in different styles, and wrong sets that differ by one fault. A wrong set is
// stored as small edits of a correct one, so that the fault can be read.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../../src/contract/atoms.ts";
import {
  type Declarations,
  declarationsSchema,
  silentDeclarations,
} from "../../src/contract/declarations.ts";
import { sha256 } from "../../src/core/hash.ts";
import type { LoadedText } from "../../src/logio/text.ts";
import { readExactParts, type WorkedExample } from "../../src/spec/index.ts";

const SETS = join(import.meta.dir, "sets");
const MUTANTS = join(import.meta.dir, "mutants");

export interface CorrectSet {
  name: string;
  style: string;
  /** Names of the shared Atom B and Atom C. */
  b: string;
  c: string;
  sources: AtomSources;
  logs: LoadedText[];
  /** Examples of the set's examples.md, if it has one. */
  examples: WorkedExample[];
  declarations: Declarations;
}

export interface WrongSet {
  name: string;
  /** Kind of fault. */
  fault: string;
  base: CorrectSet;
  sources: AtomSources;
  logs: LoadedText[];
}

const setSchema = z.strictObject({
  style: z.string(),
  /** A shared Atom A, where the set has no `atom_a.js`. */
  a: z.string().optional(),
  b: z.string(),
  c: z.string(),
  /** The declarations of the set's author, as `{value, quote}`. */
  declarations: declarationsSchema.optional(),
});
const editSchema = z.strictObject({ find: z.string(), put: z.string() });
const mutantSchema = z.strictObject({
  /** The fault in a few words; unique within the file. */
  what: z.string(),
  fault: z.string(),
  part: z.enum(["atom_a", "atom_b", "atom_c", "config"]),
  edits: z.array(editSchema).optional(),
  /** The new text of the whole part, where edits would not be shorter. */
  source: z.string().optional(),
});
const fileSchema = z.strictObject({
  /** A correct set, or a shared Atom B or C: then the first set with it is the base. */
  base: z.string(),
  mutants: z.array(mutantSchema),
});

export function correctSets(): CorrectSet[] {
  const shared = (name: string): string => readFileSync(join(SETS, "atoms", `${name}.js`), "utf8");
  return readdirSync(SETS)
    .filter((name) => name !== "atoms")
    .sort()
    .map((name) => {
      const dir = join(SETS, name);
      const { style, a, b, c, declarations } = setSchema.parse(
        JSON.parse(readFileSync(join(dir, "set.json"), "utf8")),
      );
      const read = (file: string): string => readFileSync(join(dir, file), "utf8");
      const sources = {
        atom_a: a === undefined ? read(ATOM_FILES.atom_a) : shared(a),
        atom_b: shared(b),
        atom_c: shared(c),
        config: read(ATOM_FILES.config),
      };
      const logs = readdirSync(join(dir, "logs"))
        .sort()
        .map((file) => loadLog(join(dir, "logs", file)));
      const page = join(dir, "examples.md");
      const { examples, problems } = readExactParts(existsSync(page) ? readFileSync(page, "utf8") : "");
      if (problems.length > 0) throw new Error(`${name}: ${problems[0]?.message}`);
      return {
        name,
        style,
        b,
        c,
        sources,
        logs,
        examples,
        declarations: { ...silentDeclarations("atom_a"), ...declarations },
      };
    });
}

function loadLog(path: string): LoadedText {
  const text = readFileSync(path, "utf8");
  return {
    path: resolve(path),
    text,
    sha256: sha256(text),
    bytes: Buffer.byteLength(text),
    encoding: "utf-8",
    compressed: false,
  };
}

/** Returns every wrong set. Throws when an edit does not apply exactly once or changes nothing. */
export function wrongSets(correct: readonly CorrectSet[]): WrongSet[] {
  const out: WrongSet[] = [];
  for (const file of readdirSync(MUTANTS).sort()) {
    const { base: name, mutants } = fileSchema.parse(parse(readFileSync(join(MUTANTS, file), "utf8")));
    const base = correct.find((set) => set.name === name || set.b === name || set.c === name);
    if (!base) throw new Error(`${file}: there is no set or atom ${name}`);
    for (const mutant of mutants) {
      const { what, fault, part } = mutant;
      const sources = {
        ...base.sources,
        [part]: mutant.source ?? applyEdits(base.sources[part], mutant.edits ?? [], `${name}: ${what}`),
      };
      if (ATOM_PARTS.every((p) => sources[p] === base.sources[p]))
        throw new Error(`${name}: ${what}: nothing changed`);
      out.push({ name: `${name}: ${what}`, fault, base, sources, logs: base.logs });
    }
  }
  return out;
}

function applyEdits(source: string, edits: readonly { find: string; put: string }[], name: string): string {
  return edits.reduce((text, { find, put }) => {
    const count = text.split(find).length - 1;
    if (count !== 1) throw new Error(`${name}: ${JSON.stringify(find)} stands ${count} times in its base`);
    return text.split(find).join(put);
  }, source);
}
