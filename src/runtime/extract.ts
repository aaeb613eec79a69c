// L2: runs Atom A over the inputs and the files they refer to, each once, and sorts all records: by file (inputs in their
// order, then referenced files, depth first), by line number, then by the order of extraction. docs/contract.md,
// section 4.
import type { ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import { truncate } from "../core/limits.ts";
import type { PathGuard } from "../files/guard.ts";
import {
  MAX_REFERENCE_DEPTH,
  type Reference,
  referencesOf,
  referenceTooDeep,
  resolveReference,
} from "./references.ts";
import type { ExtractionRun, FileExtraction, FileExtractor, InputFacts } from "./types.ts";

/** Maximum files extracted concurrently; the sandbox and the reader have their own limits. */
const PARALLEL_FILES = 8;

/** Runs `extract` over all inputs and follows references. A problem of a file or an atom is a diagnostic, and the rest is
 * still extracted. `inputs` are paths from `findInputs`. */
export async function extractAll(
  extract: FileExtractor,
  inputs: readonly string[],
  guard: PathGuard,
): Promise<ExtractionRun> {
  const run = new Extraction(extract, guard, inputs);
  await run.readInputs();
  for (const path of inputs) await run.follow(path, 0);
  return run.finish();
}

interface FileState {
  extraction: FileExtraction;
  references: Reference[];
  /** Smallest depth at which its references were followed. */
  depth: number;
}

class Extraction {
  private readonly files = new Map<string, FileState>();
  private readonly tooDeep = new Map<string, Reference>();
  private readonly diagnostics: Diagnostic[] = [];
  private readonly reported = new Set<string>();
  private readonly extract: FileExtractor;
  private readonly guard: PathGuard;
  private readonly inputs: readonly string[];

  constructor(extract: FileExtractor, guard: PathGuard, inputs: readonly string[]) {
    this.extract = extract;
    this.guard = guard;
    this.inputs = [...new Set(inputs)];
  }

  /** Extracts the inputs in parallel; their order does not depend on which one finishes first. */
  async readInputs(): Promise<void> {
    const done = new Map<string, FileExtraction>();
    let next = 0;
    const worker = async () => {
      for (let path = this.inputs[next]; path !== undefined; path = this.inputs[next]) {
        next += 1;
        done.set(path, await this.extract(path));
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL_FILES, this.inputs.length) }, worker));
    for (const path of this.inputs) this.addFile(path, done.get(path) as FileExtraction);
  }

  private addFile(path: string, extraction: FileExtraction): FileState {
    const { references, diagnostics } = referencesOf(extraction.items);
    // A log may refer to the same file in every line; one reference of each path is enough.
    const distinct = new Map(
      references.map((reference) => [reference.written, reference] as const).reverse(),
    );
    const state = {
      extraction,
      references: [...distinct.values()].reverse(),
      depth: Number.POSITIVE_INFINITY,
    };
    this.files.set(path, state);
    this.diagnostics.push(...extraction.diagnostics, ...diagnostics);
    return state;
  }

  /** Follows the references of a file at `depth`. A file that is reached again at a smaller depth is not read again, but
   * its references may now be within the limit. */
  async follow(path: string, depth: number): Promise<void> {
    const state = this.files.get(path);
    if (state === undefined || depth >= state.depth) return;
    state.depth = depth;
    for (const reference of state.references) {
      const found = await resolveReference(reference, state.extraction.path, this.guard);
      if (!found.ok) {
        this.report(found.diagnostic);
        continue;
      }
      if (!this.files.has(found.path)) {
        if (depth + 1 > MAX_REFERENCE_DEPTH) {
          if (!this.tooDeep.has(found.path)) this.tooDeep.set(found.path, reference);
          continue;
        }
        this.addFile(found.path, await this.extract(found.path));
      }
      await this.follow(found.path, depth + 1);
    }
  }

  /** A reference that is followed again at a smaller depth is reported only once. */
  private report(diagnostic: Diagnostic): void {
    const key = JSON.stringify(diagnostic);
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.diagnostics.push(diagnostic);
  }

  finish(): ExtractionRun {
    for (const [path, reference] of this.tooDeep) {
      if (!this.files.has(path)) this.diagnostics.push(referenceTooDeep(reference));
    }
    const items: ParsedItem[] = [];
    const searched = new Set<string>();
    for (const { extraction } of this.files.values()) {
      if (extraction.read) searched.add(extraction.path);
      for (const item of inLineOrder(extraction.items)) items.push(item);
    }
    return {
      items,
      searchedFiles: [...searched].sort(),
      inputs: this.inputFacts(),
      diagnostics: bounded(this.diagnostics),
    };
  }

  private inputFacts(): InputFacts[] {
    return this.inputs.flatMap((input) => {
      const extraction = this.files.get(input)?.extraction;
      if (extraction === undefined || extraction.end === null) return [];
      return [{ path: extraction.path, records: extraction.items.length, end: extraction.end }];
    });
  }
}

/** Sorts by line number, null last, otherwise in the order of extraction. */
function inLineOrder(items: readonly ParsedItem[]): ParsedItem[] {
  const key = (item: ParsedItem) => item.line_number ?? Number.POSITIVE_INFINITY;
  // Infinity minus Infinity is NaN: compare, do not subtract.
  return [...items].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

const MAX_DIAGNOSTICS = 200;

/** Limits the diagnostics: a log with a million broken references must not produce a report of a million lines. */
function bounded(diagnostics: Diagnostic[]): Diagnostic[] {
  const short = diagnostics
    .slice(0, MAX_DIAGNOSTICS)
    .map((d) => ({ ...d, message: truncate(d.message, 2000).text }));
  if (diagnostics.length <= MAX_DIAGNOSTICS) return short;
  const rest = diagnostics.slice(MAX_DIAGNOSTICS);
  const severity = rest.some((d) => d.severity === "error") ? "error" : "warning";
  return [
    ...short,
    { severity, code: "more_diagnostics", message: `${rest.length} more diagnostics were omitted.` },
  ];
}
