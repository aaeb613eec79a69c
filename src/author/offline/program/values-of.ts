// What values the code that `emit.ts` wrote can take from given lines, without running it: its expressions and
// the source of its `value` are read back. A superset, since sections and filters are not followed. Agent B uses
// it to see that a pattern of the page stands in the log but in no value: then the wrong part was taken.

import { MARKS, splitCells } from "./interpret.ts";
import { treeValues } from "./tree/values-of.ts";

type Reader = (line: string) => string | undefined;

/** All values that the code could take from single lines, or from whole texts where it reads structured documents;
 * undefined for code of another hand. */
export function possibleValues(
  atomA: string,
  lines: readonly string[],
  texts: readonly (readonly string[])[],
): string[] | undefined {
  if (!atomA.startsWith("// Extracts: ")) return undefined;
  const readers = atomA
    .split(/\n(?=function extract_(?:lines|rows|records|nodes))/)
    .slice(1)
    .flatMap((body) => readersOf(atomA, body));
  const values = new Set(texts.flatMap((text) => treeValues(atomA, text)));
  if (readers.length === 0 && values.size === 0) return undefined;
  for (const line of lines) {
    for (const read of readers) {
      const value = read(line);
      if (value !== undefined && value !== "") values.add(value);
    }
  }
  return [...values];
}

function constants(code: string): Map<string, string> {
  return new Map(
    [...code.matchAll(/^const (\w+) = \/(.*)\/;$/gm)].map((match) => [match[1] ?? "", match[2] ?? ""]),
  );
}

/** One reader per `items.push` of a function. */
function readersOf(code: string, body: string): Reader[] {
  const patterns = constants(code);
  const readers: Reader[] = [];
  for (const match of body.matchAll(/ {2}value: (.+),\n/g)) {
    const source = match[1] ?? "";
    if (source === "line.trim()") readers.push((line) => line.trim());
    const group = /(match\w*\.groups|groups)\.(\w+)/.exec(source);
    if (group === null) continue;
    const name = group[2] ?? "";
    const finish = (text: string | undefined): string | undefined =>
      source.startsWith("basename(")
        ? text?.trim().replace(/^.*[\\/]/s, "")
        : source.startsWith("bare(")
          ? text?.trim().replace(MARKS, "")
          : text?.trim();
    for (const raw of groupReaders(body, patterns, name)) readers.push((line) => finish(raw(line)));
  }
  return readers;
}

/** Every way in which the function can fill a group from one line. */
function groupReaders(body: string, patterns: ReadonlyMap<string, string>, name: string): Reader[] {
  const readers: Reader[] = [];
  for (const [constant, source] of patterns) {
    if (!body.includes(`${constant}.exec(line)`) || !source.includes(`(?<${name}>`)) continue;
    const regex = new RegExp(source);
    readers.push((line) => regex.exec(line)?.groups?.[name]);
  }
  const cell = new RegExp(`^ +${name}: cells\\[(\\d+)\\],$`, "m").exec(body)?.[1];
  const separator = /(?:\.split\(|, )("(?:[^"\\]|\\.)+")\);/.exec(body)?.[1];
  if (cell !== undefined && separator !== undefined) {
    const framed = body.includes("line.trim().slice(");
    const quoted = body.includes("splitQuoted(");
    const char = JSON.parse(separator) as string;
    readers.push(
      (line) => splitCells(framed ? line.trim().slice(char.length) : line, char, quoted)[Number(cell)],
    );
  }
  const slice = new RegExp(`^ +${name}: line\\.slice\\((\\d+)(?:, (\\d+))?\\),$`, "m").exec(body);
  if (slice !== null) {
    const end = slice[2] === undefined ? undefined : Number(slice[2]);
    readers.push((line) => line.slice(Number(slice[1]), end));
  }
  const keyLine = [...patterns].find(
    ([constant]) => body.includes(`${constant}.exec(line)`) && constant.startsWith("KEY_LINE"),
  );
  if (keyLine !== undefined) {
    const regex = new RegExp(keyLine[1]);
    readers.push((line) => regex.exec(line)?.groups?.["text"]);
  }
  return readers;
}
