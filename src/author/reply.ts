// From a free-form reply to atoms: whatever shape a model gives its answer (one block, several, none, an
// unclosed fence, prose around code, TypeScript, one JSON object), the parts are found or it is said what is
// missing. Nothing that does not parse is taken for code.
import { parse, parseDocument } from "yaml";
import { ATOM_FUNCTIONS, type Atom } from "../contract/atoms.ts";
import { type Declarations, readDeclarations } from "../contract/declarations.ts";
import { readBlocks, withoutThoughts } from "../conversation/blocks.ts";
import { findJsonObject } from "../conversation/json-reply.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readExactParts } from "../spec/index.ts";
import { declaredFunctions, extractFunction, type ParsedCode, readCode, undeclaredNames } from "./code.ts";
import type { WitnessProposal } from "./witnesses.ts";

/** Bytes of one source at most; more is a table of cases, not a rule. */
export const MAX_SOURCE_BYTES = 256 * 1024;

export type Found = { ok: true; code: string } | { ok: false; problem: FindProblem };
export type FindProblem =
  | { kind: "no_code" }
  | { kind: "broken_code"; problem: string; source: string }
  | { kind: "missing_function"; name: string; source: string }
  | { kind: "too_long"; bytes: number; source: string };

/** Takes a source that was handed over as such (argument of a submit tool, or a block): it may still be fenced. */
export function sourceFor(atom: Atom, text: string): Found {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SOURCE_BYTES) {
    return { ok: false, problem: { kind: "too_long", bytes, source: text.slice(0, 1000) } };
  }
  if (text.trim() === "") return { ok: false, problem: { kind: "no_code" } };
  // Backticks around code parse as template literals: a fence is looked for before the text is read as code.
  if (/^\s*(`{3,}|~{3,})/.test(text)) return findSource(atom, text, undefined);
  const whole = readCode(text);
  if (whole.ok) return pick(atom, whole.parsed, text);
  return findSource(atom, text, whole.problem);
}

/** Finds the source of one atom in a reply. When several blocks declare it, the last one counts: models correct
 * themselves downwards. */
export function findAtom(atom: Atom, whole: string): Found {
  const reply = withoutThoughts(whole);
  const bytes = Buffer.byteLength(reply);
  if (bytes > 4 * MAX_SOURCE_BYTES) {
    return { ok: false, problem: { kind: "too_long", bytes, source: reply.slice(0, 1000) } };
  }
  const json = findJsonObject(reply);
  const named = json ? textMember(json, SOURCE_KEYS[atom]) : undefined;
  if (named !== undefined) return sourceFor(atom, named);
  return findSource(atom, reply, undefined);
}

/** Finds the YAML of the config in a reply. */
export function findConfig(whole: string): string | undefined {
  const reply = withoutThoughts(whole);
  const json = findJsonObject(reply);
  if (json) {
    for (const key of CONFIG_KEYS) {
      const value = json[key];
      if (typeof value === "string") return unfenced(value);
      if (isJsonObject(value)) return `${JSON.stringify(value, null, 2)}\n`;
    }
  }
  const blocks = readBlocks(reply).blocks.filter(({ text }) => !DECLARING.test(text));
  const yaml = blocks.filter((block) => /^ya?ml$/.test(block.language));
  const guesses = blocks.filter((block) => !/^(js|ts|javascript|typescript|json)/.test(block.language));
  const chosen = yaml.at(-1) ?? guesses.filter((block) => looksLikeConfig(block.text)).at(-1);
  if (!chosen) return undefined;
  const text = chosen.unclosed ? longestYaml(chosen.text) : chosen.text;
  return text.trim() === "" ? undefined : `${text.trimEnd()}\n`;
}

/** A block of YAML that declares, beside the config. */
const DECLARING = /^\s*declarations\s*:/;

/** The declarations of a reply without tools: of its JSON object, or of a block that begins with `declarations:`. */
export function findDeclarations(whole: string): Declarations {
  const reply = withoutThoughts(whole);
  const json = findJsonObject(reply);
  if (json) return readDeclarations(json["declarations"]);
  const block = readBlocks(reply).blocks.findLast(({ text }) => DECLARING.test(text));
  if (block === undefined) return {};
  try {
    return readDeclarations((parse(block.text) as { declarations?: unknown } | null)?.declarations);
  } catch {
    return {};
  }
}

/** The witnesses of a reply without tool calls: members of its JSON, or the lines of its `witness` blocks. */
export function findWitnesses(whole: string): WitnessProposal {
  const reply = withoutThoughts(whole);
  const json = findJsonObject(reply);
  const { witnesses, no_witness_reason: reason } = json ?? {};
  const listed = Array.isArray(witnesses) ? witnesses.filter((one) => typeof one === "string") : [];
  const shown = readExactParts(reply).witnesses.map(({ pattern }) => pattern);
  return {
    patterns: [...new Set([...listed, ...shown].map((one) => one.trim()))].filter((one) => one !== ""),
    reason: typeof reason === "string" ? reason.trim() : "",
  };
}

/** YAML that a submit tool got: possibly fenced, possibly an object. */
export function configFrom(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : unfenced(value);
  return isJsonObject(value) ? `${JSON.stringify(value, null, 2)}\n` : undefined;
}

const SOURCE_KEYS: Record<Atom, string[]> = {
  atom_a: ["code", "atom_a", "extract_context"],
  atom_b: ["atom_b", "validate_logic"],
  atom_c: ["atom_c", "check_existence"],
};
const CONFIG_KEYS = ["config", "yaml", "config_yaml", "yaml_config"];

function findSource(atom: Atom, reply: string, knownProblem: string | undefined): Found {
  const candidates = codeCandidates(reply);
  const readings = candidates.map((text) => ({ text, reading: readCode(text) }));
  const good = readings.flatMap(({ text, reading }) =>
    reading.ok ? [{ text, parsed: reading.parsed }] : [],
  );
  const main = good
    .filter(({ parsed }) => declaredFunctions(parsed.program).includes(ATOM_FUNCTIONS[atom]))
    .at(-1);
  if (main)
    return pick(
      atom,
      main.parsed,
      main.text,
      good.map(({ parsed }) => parsed),
    );
  const broken = readings.filter(({ text }) => text.includes(ATOM_FUNCTIONS[atom])).at(-1);
  if (broken && !broken.reading.ok) {
    const problem = knownProblem ?? broken.reading.problem;
    return { ok: false, problem: { kind: "broken_code", problem, source: broken.text } };
  }
  const other = good.find(({ parsed }) => parsed.program.body.length > 0);
  if (other) {
    const name = ATOM_FUNCTIONS[atom];
    return { ok: false, problem: { kind: "missing_function", name, source: other.text } };
  }
  return { ok: false, problem: { kind: "no_code" } };
}

/** The atom out of a source that parses: alone if it stands alone, cut out if other atoms are in it, completed
 * by other blocks if it needs what they declare. */
function pick(atom: Atom, parsed: ParsedCode, source: string, blocks: ParsedCode[] = []): Found {
  const name = ATOM_FUNCTIONS[atom];
  const functions = declaredFunctions(parsed.program);
  if (!functions.includes(name)) {
    return { ok: false, problem: { kind: "missing_function", name, source } };
  }
  const others = Object.values(ATOM_FUNCTIONS).filter((other) => other !== name);
  const missing = undeclaredNames(parsed.program);
  const helpers = blocks.filter(
    (block) =>
      block !== parsed &&
      !declaredFunctions(block.program).includes(name) &&
      declaredFunctions(block.program)
        .concat(constants(block))
        .some((declared) => missing.has(declared)),
  );
  if (helpers.length > 0) {
    const joined = readCode([...helpers.map((helper) => helper.code), parsed.code].join("\n\n"));
    if (joined.ok) return { ok: true, code: extractFunction(joined.parsed, name) ?? joined.parsed.code };
  }
  const mixed = functions.some((declared) => others.includes(declared as never));
  const code = mixed ? (extractFunction(parsed, name) ?? parsed.code) : parsed.code;
  return { ok: true, code: `${code.trim()}\n` };
}

function constants(block: ParsedCode): string[] {
  return block.program.body.flatMap((statement) =>
    statement.type === "VariableDeclaration"
      ? statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
      : [],
  );
}

/** Texts of a reply that may be code, in order. */
function codeCandidates(reply: string): string[] {
  const { blocks } = readBlocks(reply);
  const texts = blocks
    .filter((block) => !/^(ya?ml|json|text|txt|log|diff|sh|bash|markdown|md)$/.test(block.language))
    .map((block) => (block.unclosed ? longestCode(block.text) : block.text));
  if (texts.some((text) => text.includes("function"))) return texts;
  const bare = fromFirstDeclaration(readBlocks(reply).prose);
  return bare === undefined ? texts : [...texts, longestCode(bare)];
}

function fromFirstDeclaration(text: string): string | undefined {
  const start =
    /^(?:export\s+)?(?:async\s+)?(?:function\s+\w+\s*\(|const\s+\w+\s*=|let\s+\w+\s*=|var\s+\w+\s*=)/m.exec(
      text,
    );
  return start ? text.slice(start.index) : undefined;
}

/** The longest beginning of a text that parses, ending at a line that closes a declaration: what stands after
 * unfenced or unclosed code is prose. The text itself when nothing parses. */
function longestCode(text: string): string {
  if (readCode(text).ok) return text;
  const lines = text.split("\n");
  const ends = lines.flatMap((line, index) => (/^[})\]];?\s*$/.test(line) ? [index + 1] : []));
  for (const end of ends.reverse().slice(0, 50)) {
    const start = lines.slice(0, end).join("\n");
    if (readCode(start).ok) return start;
  }
  return text;
}

function longestYaml(text: string): string {
  const lines = text.split("\n");
  for (let end = lines.length; end > 0 && end > lines.length - 50; end -= 1) {
    const start = lines.slice(0, end).join("\n");
    if (parseDocument(start).errors.length === 0 && looksLikeConfig(start)) return start;
  }
  return text;
}

function looksLikeConfig(text: string): boolean {
  return /^(requirements|waivers|input_files)\s*:/m.test(text);
}

function unfenced(text: string): string {
  const { blocks } = readBlocks(text);
  const only = blocks.length === 1 ? blocks[0] : undefined;
  return `${(only?.text ?? text).trimEnd()}\n`;
}

function textMember(object: JsonObject, keys: string[]): string | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}
