// Output of a command. stdout gets only the result: one JSON document with --json, otherwise text. Messages,
// logs and progress go to stderr.
import { basename } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../core/errors.ts";
import { type Redact, redactDeep } from "../core/redact/index.ts";
import type { Io } from "./io.ts";
import { createMask } from "./secrets.ts";
import { createStyle, displayWidth, type Style, wantsColor } from "./style.ts";

export interface OutputOptions {
  json: boolean;
  quiet: boolean;
  noColor: boolean;
  /** `--events -` writes to stdout; a text result goes to stderr. */
  eventsOnStdout: boolean;
  /** Secrets of the command line, to be masked. */
  secrets: readonly string[];
}

export type Align = "left" | "right";

/** A live view on the last lines of the terminal; it is removed while a message is written. */
export interface LiveArea {
  interrupt(write: () => void): void;
  /** Removes the view. */
  stop(): void;
}

export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Colours for stdout (the result) and stderr. */
  readonly style: Style;
  readonly errorStyle: Style;
  /** Secrets of the command line. */
  readonly secrets: readonly string[];
  private readonly io: Io;
  private readonly eventsOnStdout: boolean;
  /** Masks the values of API keys in all output. */
  mask: Redact;
  /** For stored output, i.e. events and the log file: also masks texts that look like keys or passwords (`llm.redact`). */
  stored: Redact;
  private pending: { document: unknown; text: (style: Style) => string } | undefined;
  private documentWritten = false;
  private live: LiveArea | undefined;

  constructor(io: Io, options: OutputOptions) {
    this.io = io;
    this.json = options.json;
    this.quiet = options.quiet;
    this.eventsOnStdout = options.eventsOnStdout;
    this.secrets = options.secrets;
    this.mask = createMask(io.env, { secrets: this.secrets });
    this.stored = createMask(io.env, { secrets: this.secrets, shapes: true });
    this.style = createStyle(wantsColor(io.stdout, io.env, options.noColor));
    this.errorStyle = createStyle(wantsColor(io.stderr, io.env, options.noColor));
  }

  /** Sets the result of the command, once: the document with --json, otherwise the text, which is rendered only if
   * needed and may be empty. It is written after the command returns (`writeResult`). */
  result(document: unknown, text: (style: Style) => string): void {
    if (this.finished) throw new AtomsmithError("internal", "a command wrote two results");
    this.pending = { document, text };
    this.live?.stop();
  }

  /** Writes the result. Without --json, an exit of 2 leaves stdout empty: the text goes to stderr. */
  writeResult(code: ExitCode): void {
    if (!this.pending) return;
    const { document, text } = this.pending;
    this.pending = undefined;
    this.documentWritten = true;
    if (this.json) {
      this.writeDocument(document);
      return;
    }
    const toStderr = this.eventsOnStdout || code === EXIT.usage;
    const shown = text(toStderr ? this.errorStyle : this.style);
    if (shown !== "") this.writeText(shown.endsWith("\n") ? shown : `${shown}\n`, toStderr);
  }

  /** Sets a result that is plain text (a script, a report). With --json: `{[key]: text}`. */
  rawText(key: string, text: string): void {
    this.result({ [key]: text }, () => text);
  }

  /** Whether a result is set. */
  get finished(): boolean {
    return this.documentWritten || this.pending !== undefined;
  }

  /** Writes an informational line to stderr, unless --quiet. */
  note(text: string): void {
    if (!this.quiet) this.toStderr(`${text}\n`);
  }

  /** Writes a warning or error to stderr, also with --quiet. */
  warn(text: string): void {
    this.toStderr(`${text}\n`);
  }

  /** Shows an error once: on stderr, and as the document with --json unless a result is already written. */
  error(error: AtomsmithError): void {
    const style = this.errorStyle;
    const { where } = error.details;
    const place = where === undefined || error.message.includes(basename(where)) ? "" : `${where}: `;
    const lines = [`${style.red("error:")} ${place}${error.message}`];
    if (error.details.hint !== undefined) lines.push(`  ${style.dim(error.details.hint)}`);
    this.warn(lines.join("\n"));
    if (this.json && !this.finished) {
      this.documentWritten = true;
      this.writeDocument({ error: error.toJSON() });
    }
  }

  /** Formats aligned columns. The header may be empty; the last column is not padded. */
  table(
    header: readonly string[],
    rows: readonly (readonly string[])[],
    align: readonly Align[] = [],
  ): string {
    const bold = header.map((cell) => this.style.bold(cell));
    const all = header.length > 0 ? [bold, ...rows] : rows;
    const count = Math.max(0, ...all.map((row) => row.length));
    const widths = Array.from({ length: count }, (_, i) =>
      Math.max(0, ...all.map((row) => displayWidth(row[i] ?? ""))),
    );
    return all.map((row) => tableLine(row, widths, align)).join("\n");
  }

  setLive(live: LiveArea | undefined): void {
    this.live = live;
  }

  /** Masks texts before serialization: masking serialized JSON could break it. */
  private writeDocument(document: unknown): void {
    this.io.stdout.write(`${JSON.stringify(redactDeep(document, this.mask), null, 2)}\n`);
  }

  private toStderr(text: string): void {
    const write = () => this.io.stderr.write(this.mask(text));
    if (this.live) this.live.interrupt(write);
    else write();
  }

  private writeText(text: string, toStderr: boolean): void {
    const stream = toStderr ? this.io.stderr : this.io.stdout;
    const write = () => stream.write(this.mask(text));
    if (this.live) this.live.interrupt(write);
    else write();
  }
}

function tableLine(row: readonly string[], widths: readonly number[], align: readonly Align[]): string {
  const cells = row.map((cell, i) => {
    const fill = " ".repeat(Math.max(0, (widths[i] ?? 0) - displayWidth(cell)));
    if (align[i] === "right") return fill + cell;
    return i === row.length - 1 ? cell : cell + fill;
  });
  return cells.join("  ").trimEnd();
}
