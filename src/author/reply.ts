// Extracts atoms and configs from free-form replies: code in one or several blocks, without a fence, in an unclosed
// fence, within prose, as TypeScript, or in a JSON object. A result is code that parses, or the problem.
import { parse, parseDocument } from "yaml";
import { ATOM_FUNCTIONS, type Atom } from "../contract/atoms.ts";
import { type Declarations, readDeclarations } from "../contract/declarations.ts";
import { readBlocks, withoutThoughts } from "../conversation/blocks.ts";
import { findJsonObject } from "../conversation/json-reply.ts";
import { isJsonObject, type JsonObject } from "../core/json.ts";
import { readExactParts } from "../spec/index.ts";
import { declaredFunctions, extractFunction, type ParsedCode, readCode, undeclaredNames } from "./code.ts";
import type { WitnessProposal } from "./witnesses.ts";

/** Longer sources are not accepted: they are tables of cases instead of rules. */
export const MAX_SOURCE_BYTES = 256 * 1024;

export type SourceReading = { ok: true; code: string } | { ok: false; problem: SourceProblem };
export type SourceProblem =
  | { kind: "no_code" }
  | { kind: "broken_code"; problem: string; source: string }
  | { kind: "missing_function"; name: string; source: string }
  | { kind: "too_long"; bytes: number; source: string };

/** Reads the source of an atom from an argument of a submit tool, which may still be fenced. */
export function readSubmittedSource(atom: Atom, text: string): SourceReading {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_SOURCE_BYTES) {
    return { ok: false, problem: { kind: "too_long", bytes, source: text.slice(0, 1000) } };
  }
  if (text.trim() === "") return { ok: false, problem: { kind: "no_code" } };
  // Fences parse as template literals, so they are removed before the text is parsed as code.
  if (/^\s*(`{3,}|~{3,})/.test(text)) return findSource(atom, text, undefined);
  const reading = readCode(text);
  if (reading.ok) return isolateAtom(atom, reading.parsed, text);
  return findSource(atom, text, reading.problem);
}

/** Finds the source of an atom in a reply. If several blocks declare it, the last one is used: models correct earlier
 * blocks in later ones. */
export function findAtom(atom: Atom, whole: string): SourceReading {
  const reply = withoutThoughts(whole);
  const bytes = Buffer.byteLength(reply);
  if (bytes > 4 * MAX_SOURCE_BYTES) {
    return { ok: false, problem: { kind: "too_long", bytes, source: reply.slice(0, 1000) } };
  }
  const json = findJsonObject(reply);
  const member = json ? textMember(json, SOURCE_KEYS[atom]) : undefined;
  if (member !== undefined) return readSubmittedSource(atom, member);
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
  const blocks = readBlocks(reply).blocks.filter(({ text }) => !DECLARATIONS_BLOCK.test(text));
  const yaml = blocks.filter((block) => /^ya?ml$/.test(block.language));
  const others = blocks.filter((block) => !/^(js|ts|javascript|typescript|json)/.test(block.language));
  const chosen = yaml.at(-1) ?? others.filter((block) => looksLikeConfig(block.text)).at(-1);
  if (!chosen) return undefined;
  const text = chosen.unclosed ? longestYaml(chosen.text) : chosen.text;
  return text.trim() === "" ? undefined : `${text.trimEnd()}\n`;
}

const DECLARATIONS_BLOCK = /^\s*declarations\s*:/;

/** The declarations of a reply without tool calls: in its JSON object, or in a YAML block of their own. */
export function findDeclarations(whole: string): Declarations {
  const reply = withoutThoughts(whole);
  const json = findJsonObject(reply);
  if (json) return readDeclarations(json["declarations"]);
  const block = readBlocks(reply).blocks.findLast(({ text }) => DECLARATIONS_BLOCK.test(text));
  if (block === undefined) return {};
  try {
    return readDeclarations((parse(block.text) as { declarations?: unknown } | null)?.declarations);
  } catch {
    return {};
  }
}

/** The witnesses of a reply without tool calls: in its JSON object, or in `witness` blocks. */
export function findWitnesses(whole: string): WitnessProposal {
  const reply = withoutThoughts(whole);
  const json = findJsonObject(reply);
  const { witnesses, no_witness_reason: reason } = json ?? {};
  const fromJson = Array.isArray(witnesses) ? witnesses.filter((entry) => typeof entry === "string") : [];
  const fromBlocks = readExactParts(reply).witnesses.map(({ pattern }) => pattern);
  const patterns = [...fromJson, ...fromBlocks].map((pattern) => pattern.trim());
  return {
    patterns: [...new Set(patterns)].filter((pattern) => pattern !== ""),
    reason: typeof reason === "string" ? reason.trim() : "",
  };
}

/** Reads the config from an argument of a submit tool: YAML, possibly fenced, or an object. */
export function readSubmittedConfig(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : unfenced(value);
  return isJsonObject(value) ? `${JSON.stringify(value, null, 2)}\n` : undefined;
}

const SOURCE_KEYS: Record<Atom, string[]> = {
  atom_a: ["code", "atom_a", "extract_context"],
  atom_b: ["atom_b", "validate_logic"],
  atom_c: ["atom_c", "check_existence"],
};
const CONFIG_KEYS = ["config", "yaml", "config_yaml", "yaml_config"];

/** @param knownProblem why the whole text does not parse, if it was parsed */
function findSource(atom: Atom, reply: string, knownProblem: string | undefined): SourceReading {
  const candidates = codeCandidates(reply);
  const readings = candidates.map((text) => ({ text, reading: readCode(text) }));
  const valid = readings.flatMap(({ text, reading }) =>
    reading.ok ? [{ text, parsed: reading.parsed }] : [],
  );
  const main = valid.findLast(({ parsed }) =>
    declaredFunctions(parsed.program).includes(ATOM_FUNCTIONS[atom]),
  );
  if (main) {
    const blocks = valid.map(({ parsed }) => parsed);
    return isolateAtom(atom, main.parsed, main.text, blocks);
  }
  const broken = readings.filter(({ text }) => text.includes(ATOM_FUNCTIONS[atom])).at(-1);
  if (broken && !broken.reading.ok) {
    const problem = knownProblem ?? broken.reading.problem;
    return { ok: false, problem: { kind: "broken_code", problem, source: broken.text } };
  }
  const other = valid.find(({ parsed }) => parsed.program.body.length > 0);
  if (other) {
    const name = ATOM_FUNCTIONS[atom];
    return { ok: false, problem: { kind: "missing_function", name, source: other.text } };
  }
  return { ok: false, problem: { kind: "no_code" } };
}

/** The source of an atom: without other atoms in the same block, and with the declarations of other blocks that it
 * uses. */
function isolateAtom(
  atom: Atom,
  parsed: ParsedCode,
  source: string,
  blocks: ParsedCode[] = [],
): SourceReading {
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
        .concat(variablesOf(block))
        .some((declared) => missing.has(declared)),
  );
  if (helpers.length > 0) {
    const joined = readCode([...helpers.map((helper) => helper.code), parsed.code].join("\n\n"));
    if (joined.ok) return { ok: true, code: extractFunction(joined.parsed, name) ?? joined.parsed.code };
  }
  const hasOtherAtoms = functions.some((declared) => others.includes(declared as never));
  const code = hasOtherAtoms ? (extractFunction(parsed, name) ?? parsed.code) : parsed.code;
  return { ok: true, code: `${code.trim()}\n` };
}

/** Names of the top-level variables. */
function variablesOf(block: ParsedCode): string[] {
  return block.program.body.flatMap((statement) =>
    statement.type === "VariableDeclaration"
      ? statement.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
      : [],
  );
}

/** The texts of a reply that may be code, in order. */
function codeCandidates(reply: string): string[] {
  const { blocks } = readBlocks(reply);
  const texts = blocks
    .filter((block) => !/^(ya?ml|json|text|txt|log|diff|sh|bash|markdown|md)$/.test(block.language))
    .map((block) => (block.unclosed ? longestCode(block.text) : block.text));
  if (texts.some((text) => text.includes("function"))) return texts;
  const unfencedCode = fromFirstDeclaration(readBlocks(reply).prose);
  return unfencedCode === undefined ? texts : [...texts, longestCode(unfencedCode)];
}

function fromFirstDeclaration(text: string): string | undefined {
  const start =
    /^(?:export\s+)?(?:async\s+)?(?:function\s+\w+\s*\(|const\s+\w+\s*=|let\s+\w+\s*=|var\s+\w+\s*=)/m.exec(
      text,
    );
  return start ? text.slice(start.index) : undefined;
}

/** The longest prefix that parses and ends with a closed declaration, since prose may follow code without a closed fence;
 * the whole text if there is none. */
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
