// State of `atomsmith label`: a page with its logs and examples, and a preview of the extraction. Independent of the
// user interface: terminal, flags or browser.
import { recordSnippets } from "../author/offline/index.ts";
import { clusterLines, type LineCluster } from "../author/offline/logs/clusters.ts";
import { chooseLogs, filePatterns } from "../author/offline/logs/files.ts";
import type { LogText } from "../author/offline/logs/places.ts";
import { runOver } from "../author/offline/program/program.ts";
import { proposedCheck } from "../author/offline/questions/check.ts";
import { exampleOf, linesOf } from "../author/offline/questions/lines.ts";
import { solve } from "../author/offline/solve.ts";
import { codeSpans } from "../spec/blocks.ts";
import type { WorkedExample } from "../spec/index.ts";
import { parsingSlice } from "../spec/index.ts";
import type { LogFolder } from "../tools/log-folder.ts";
import { examplesOf, type LabelPage } from "./page.ts";

/** A line of a log. */
export interface LogLine {
  file: string;
  /** 1-based. */
  line: number;
  text: string;
}

export interface PreviewRecord extends LogLine {
  value: string;
  fields: Record<string, string>;
}

/** Result of the examples on all logs. */
export type Preview =
  | { kind: "nothing" }
  /** `others`: lines that resemble records but are not extracted, with the reason. */
  | { kind: "records"; records: PreviewRecord[]; others: (LogLine & { why: string })[] }
  /** Readings that agree with all examples differ on a line; each is given as an example. */
  | { kind: "question"; at: LogLine; readings: WorkedExample[] }
  | { kind: "contradiction"; message: string; examples: readonly WorkedExample[] };

export class LabelSession {
  readonly page: LabelPage;
  /** The examples of this session after each step, the current ones last. */
  readonly #steps: (readonly WorkedExample[])[] = [[]];
  readonly #folder: LogFolder;
  #logs: LogText[] = [];
  #preview: Preview | undefined;
  #kinds: LineCluster[] | undefined;

  private constructor(page: LabelPage, folder: LogFolder) {
    this.page = page;
    this.#folder = folder;
  }

  /** Opens the logs that section 4.1 names or that contain examples of the page. */
  static async open(page: LabelPage, folder: LogFolder): Promise<LabelSession> {
    const session = new LabelSession(page, folder);
    const wanted = examplesOf(page)
      .filter(({ records }) => records.length > 0)
      .map(({ text }) => text);
    const { logs } = await chooseLogs(parsingSlice(page.spec).section_4_1, wanted, folder);
    session.#logs = logs.map(({ path, lines }) => ({ path, lines: withoutEnd(lines) }));
    return session;
  }

  /** Logs by path, relative to the search root. */
  get logs(): readonly LogText[] {
    return this.#logs;
  }

  /** Examples of this session, oldest first. */
  get own(): readonly WorkedExample[] {
    return this.#steps.at(-1) ?? [];
  }

  /** Examples of the page and of this session; of two with the same text, the later one is used. */
  get examples(): WorkedExample[] {
    const byText = new Map([...examplesOf(this.page), ...this.own].map((example) => [example.text, example]));
    return [...byText.values()];
  }

  /** Names of the fields in the examples. */
  get fieldNames(): string[] {
    const named = this.examples.flatMap(({ records }) => records.flatMap(({ fields }) => [...fields.keys()]));
    return [...new Set(named)];
  }

  /** Suggested field names: those of the examples, and names in backticks in section 1. */
  get suggestedNames(): string[] {
    const spans = codeSpans(this.page.spec.sections["1"]?.text ?? "").filter((span) =>
      /^[A-Za-z_]\w*$/.test(span),
    );
    return [...new Set([...this.fieldNames, ...spans])];
  }

  /** True when section 4.1 has file patterns and the log is open. */
  isNamed(path: string): boolean {
    return (
      filePatterns(parsingSlice(this.page.spec).section_4_1).length > 0 &&
      this.#logs.some((log) => log.path === path)
    );
  }

  /** Files below the search root. */
  files(): Promise<{ paths: string[]; more: boolean }> {
    return this.#folder.list();
  }

  /** Adds a log; false when it cannot be read. */
  async addLog(path: string): Promise<boolean> {
    if (this.#logs.some((log) => log.path === path)) return true;
    const read = await this.#folder.read(path);
    if (read === undefined) return false;
    this.#logs = [...this.#logs, { path, lines: withoutEnd(read.text.split("\n")) }];
    this.#forget();
    return true;
  }

  /** The kinds of lines of the logs, most frequent first. */
  kinds(): readonly LineCluster[] {
    this.#kinds ??= clusterLines(this.#logs);
    return this.#kinds;
  }

  /** Adds an example, in place of one with the same text. */
  add(example: WorkedExample): void {
    this.#steps.push([...this.own.filter(({ text }) => text !== example.text), example]);
    this.#preview = undefined;
  }

  /** Removes the last added example. */
  undo(): void {
    if (this.#steps.length > 1) this.#steps.pop();
    this.#preview = undefined;
  }

  /** The preview, cached until something changes. */
  preview(): Preview {
    this.#preview ??= this.#look();
    return this.#preview;
  }

  /** A check derived from sections 2 and 3, as YAML. */
  proposedCheck(): string {
    const { sections } = this.page.spec;
    return proposedCheck(sections["2"]?.text ?? "", sections["3"]?.text ?? "");
  }

  #forget(): void {
    this.#preview = undefined;
    this.#kinds = undefined;
  }

  #at(file: number, line: number): LogLine {
    const log = this.#logs[file];
    return { file: log?.path ?? "", line: line + 1, text: log?.lines[line] ?? "" };
  }

  #look(): Preview {
    const { examples } = this;
    if (!examples.some(({ records }) => records.length > 0)) return { kind: "nothing" };
    const outcome = solve(examples, this.#logs, recordSnippets(parsingSlice(this.page.spec).section_1));
    if (outcome.kind === "contradiction") return outcome;
    if (outcome.kind === "question") {
      const { place, readings, kinds } = outcome;
      const { lines, anchor } = linesOf(place, kinds, this.#logs);
      return {
        kind: "question",
        at: this.#at(place.file, place.line),
        readings: readings.map((reading) => exampleOf(lines, anchor, reading)),
      };
    }
    const records = runOver(outcome.program, this.#logs).map(({ file, line, texts }): PreviewRecord => {
      const { value = "", ...fields } = texts;
      return { ...this.#at(file, line), value, fields };
    });
    const others = outcome.kinds
      .filter(({ verdict }) => verdict === "other")
      .flatMap(({ lines, why }) => lines.map(({ file, line }) => ({ ...this.#at(file, line), why })));
    return { kind: "records", records, others };
  }
}

/** The lines without the empty one after the last line end. */
function withoutEnd(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
