// Adds blocks to a page: new blocks are appended to their section, and the rest of the page is unchanged, byte for
// byte. The new text is parsed before it is written.
import { realpathSync } from "node:fs";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { checkProblems } from "../runtime/check-block.ts";
import {
  fencedBlock,
  formatExample,
  type ItemSpec,
  lintItemSpec,
  parseItemSpec,
  placedBlocks,
  readExactParts,
  readExample,
  readSpecFile,
  type SectionKey,
  type WorkedExample,
} from "../spec/index.ts";
import { writeFileAtomic } from "../store/index.ts";

/** A block to be written into a section. */
export interface NewBlock {
  section: SectionKey;
  kind: "example" | "check";
  content: string;
}

export interface LabelPage {
  path: string;
  spec: ItemSpec;
}

/** Reads and parses a page. Throws kind `spec`. */
export function openPage(path: string): LabelPage {
  return { path, spec: parseItemSpec(readSpecFile(path), path) };
}

export function exampleBlock(example: WorkedExample): NewBlock {
  return { section: "1", kind: "example", content: formatExample(example) };
}

/** Writes blocks into a page and returns the 1-based line of each. An example replaces one with the same log text.
 * Throws kind `spec` when the page has changed since it was opened or the blocks cannot be read back, and kind
 * `store` when it cannot be written; the page is unchanged then. */
export async function writeBlocks({ path, spec }: LabelPage, blocks: readonly NewBlock[]): Promise<number[]> {
  const bytes = readSpecFile(path);
  if (sha256(bytes) !== spec.sha256) {
    throw new AtomsmithError("spec", "The page was changed by someone else; nothing was written.", {
      where: path,
      hint: "start again with the current page",
    });
  }
  const replaced = blocks.map((block) => spec.blocks.find((candidate) => isSameExample(candidate, block)));
  const edited = withBlocks(textOf(bytes, path), spec, blocks, replaced);
  const data = new TextEncoder().encode(edited);
  const written = lintItemSpec(data, path, checkProblems).spec;
  const lines = blocks.map(({ kind, section, content }) => {
    const found = written?.blocks.find(
      (known) => known.kind === kind && known.section === section && known.content === content,
    );
    if (found === undefined) throw cannotWrite(path);
    return found.line;
  });
  const added = replaced.filter((old) => old === undefined).length;
  if (written?.blocks.length !== spec.blocks.length + added) throw cannotWrite(path);
  await writeFileAtomic(realpathSync(path), data);
  return lines;
}

/** True when two example blocks have the same log text: a page cannot contain both. */
function isSameExample(known: { kind: string; content: string }, other: NewBlock): boolean {
  if (known.kind !== "example" || other.kind !== "example") return false;
  const [first, second] = [readExample(known.content), readExample(other.content)];
  return first.ok && second.ok && first.example.text === second.example.text;
}

function cannotWrite(path: string): AtomsmithError {
  return new AtomsmithError("spec", "The blocks cannot be read back from the page; nothing was written.", {
    where: path,
    hint: "print them with --print and paste them manually",
  });
}

/** The page as text, with its original line ends and byte order mark. */
function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new AtomsmithError("spec", "The page is not UTF-8; nothing was written.", {
      where: path,
      hint: "save it as UTF-8, or print the blocks with --print and paste them manually",
    });
  }
}

/** The text of a page in which each block replaces an old one or is appended to its section. */
function withBlocks(
  text: string,
  spec: ItemSpec,
  blocks: readonly NewBlock[],
  replaced: readonly (ItemSpec["blocks"][number] | undefined)[],
): string {
  const breaks = [...text.matchAll(/\r\n|\n|\r/g)];
  const end = breaks[0]?.[0] ?? "\n";
  const lines = text.split(/\r\n|\n|\r/);
  const endOf = (line: number): number => breaks[line - 1]?.index ?? text.length;
  const fenceOf = ({ kind, content }: NewBlock): string[] => fencedBlock(kind, content).split("\n");
  const edits = blocks.flatMap((block, index) => {
    const old = replaced[index];
    if (old === undefined) return [];
    // Both fences and the text between them; `line` is that of the opening fence.
    const from = old.line === 1 ? 0 : endOf(old.line - 1) + (breaks[old.line - 2]?.[0].length ?? 0);
    const to = endOf(old.line + old.content.split("\n").length + 1);
    return [{ from, to, text: fenceOf(block).join(end) }];
  });
  const added = blocks.filter((_, index) => replaced[index] === undefined);
  for (const section of new Set(added.map((block) => block.section))) {
    const at = endOf(lastLine(spec, section, lines));
    const fences = added
      .filter((block) => block.section === section)
      .flatMap((example) => ["", ...fenceOf(example)]);
    edits.push({ from: at, to: at, text: fences.map((line) => end + line).join("") });
  }
  // From the end to the start, so that earlier offsets stay valid.
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((page, { from, to, text: piece }) => page.slice(0, from) + piece + page.slice(to), text);
}

/** 1-based line of the last line of a section that is not blank. */
function lastLine(spec: ItemSpec, section: SectionKey, lines: readonly string[]): number {
  const start = spec.sections[section]?.line ?? 0;
  const next = spec.headings.find(({ line, key }) => line > start && key !== undefined && key !== section);
  let last = next === undefined ? lines.length : next.line - 1;
  while (last > start && (lines[last - 1] ?? "").trim() === "") last -= 1;
  return last;
}

/** The valid examples of a page, in order. */
export function examplesOf({ spec }: LabelPage): WorkedExample[] {
  return readExactParts(placedBlocks(spec.blocks)).examples.map(({ text, records }) => ({ text, records }));
}

export function hasCheck({ spec }: LabelPage): boolean {
  return readExactParts(placedBlocks(spec.blocks)).checks.length > 0;
}
