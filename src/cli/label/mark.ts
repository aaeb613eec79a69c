// Marking screen: a log around one line, a cursor that moves by words, and marks for the value and the fields.
import { AtomsmithError } from "../../core/errors.ts";
import { exampleOfMarking } from "../../label/marking.ts";
import type { Key } from "../io.ts";
import { reverse } from "../terminal.ts";
import type { LabelApp, Screen, View } from "./app.ts";
import { InputScreen } from "./input.ts";

interface Mark {
  name: string;
  /** 0-based line of the log, and offsets in it. */
  line: number;
  start: number;
  end: number;
}

/** Where to start marking. */
export interface Start {
  file: string;
  /** 1-based. */
  line: number;
  /** Current reading of the line, to correct. */
  value?: string;
  fields?: ReadonlyMap<string, string> | undefined;
}

const VALUE = "value";

export class MarkScreen implements Screen {
  private readonly app: LabelApp;
  private readonly file: string;
  private readonly lines: readonly string[];
  private readonly done: () => void;
  private readonly marks: Mark[] = [];
  private line: number;
  /** First and last selected word of the cursor's line. */
  private first = 0;
  private last = 0;

  /** @param done called after an example was added */
  constructor(app: LabelApp, start: Start, done: () => void) {
    this.app = app;
    this.file = start.file;
    this.lines = app.session.logs.find(({ path }) => path === start.file)?.lines ?? [];
    this.line = start.line - 1;
    this.done = done;
    for (const [name, text] of [[VALUE, start.value ?? ""] as const, ...(start.fields ?? [])])
      this.place(name, text);
  }

  view(columns: number, rows: number): View {
    const marks = this.marks.map(
      (mark) => `  ${this.paint(mark.name, mark.name.padEnd(14))} ${this.textOf(mark)}`,
    );
    const room = Math.max(3, rows - marks.length - 2);
    const top = Math.max(0, Math.min(this.line - Math.floor(room / 2), this.lines.length - room));
    const shown = this.lines
      .slice(top, top + room)
      .map(
        (_, index) =>
          `${this.app.style.dim(`${top + index + 1}`.padStart(6))} ${this.drawn(top + index, columns - 7)}`,
      );
    return {
      title: `${this.file}:${this.line + 1}  mark the value and the fields`,
      body: [...shown, "", ...(marks.length === 0 ? ["  no marks"] : marks)],
      keys: [
        ["←→↑↓", "word, line"],
        ["Shift+→", "extend selection"],
        ["v", "value"],
        ["f", "field"],
        ["d", "remove mark"],
        ["n", "not a record"],
        ["Enter", "preview"],
        ["Esc", "back"],
      ],
    };
  }

  key({ name, text, shift }: Key): void {
    if (name === "left" || name === "right") this.move(name === "left" ? -1 : 1, shift);
    else if (name === "up" || name === "down") this.go(this.line + (name === "up" ? -1 : 1));
    else if (name === "pageup" || name === "pagedown") this.go(this.line + (name === "pageup" ? -10 : 10));
    else if (text === "v") this.askText(VALUE);
    else if (text === "f") this.askName();
    else if (text === "d") this.remove();
    else if (text === "n") this.add(null);
    else if (name === "return" || name === "enter") this.add(this.marks);
    else if (name === "escape") this.app.pop();
  }

  private move(step: 1 | -1, extend: boolean): void {
    const count = this.words().length;
    const to = Math.max(0, Math.min(count - 1, (step > 0 || extend ? this.last : this.first) + step));
    this.last = Math.max(to, extend ? this.first : to);
    if (!extend) this.first = to;
  }

  private go(line: number): void {
    const [{ start } = { start: 0 }] = this.words().slice(this.first);
    this.line = Math.max(0, Math.min(this.lines.length - 1, line));
    const words = this.words();
    const below = words.findIndex((word) => word.end > start);
    this.first = below < 0 ? Math.max(0, words.length - 1) : below;
    this.last = this.first;
  }

  private words(): { start: number; end: number }[] {
    return [...(this.lines[this.line] ?? "").matchAll(/\S+/g)].map(({ index, 0: text }) => ({
      start: index,
      end: index + text.length,
    }));
  }

  /** Offsets of the selection. */
  private cursor(): { start: number; end: number } {
    const words = this.words();
    return { start: words[this.first]?.start ?? 0, end: words[this.last]?.end ?? 0 };
  }

  private askText(name: string): void {
    const { start, end } = this.cursor();
    const line = this.lines[this.line] ?? "";
    this.app.push(
      new InputScreen(this.app, {
        title: `${name}: edit the text if it is incomplete`,
        about: [`  ${line}`],
        text: bare(line.slice(start, end)),
        suggestions: [],
        done: (text) => {
          if (text === "") return "The text is empty.";
          if (!line.includes(text)) return `${JSON.stringify(text)} does not occur in this line.`;
          this.place(name, text);
          this.app.pop();
          return undefined;
        },
      }),
    );
  }

  private askName(): void {
    const taken = new Set(this.marks.map(({ name }) => name));
    this.app.push(
      new InputScreen(this.app, {
        title: "name of the field",
        about: [`  ${this.lines[this.line] ?? ""}`],
        text: "",
        suggestions: this.app.session.suggestedNames.filter((name) => !taken.has(name)),
        done: (name) => {
          if (!/^[^\s:()](?:[^:()]*[^\s:()])?$/.test(name) || name === VALUE)
            return 'A field name cannot contain a colon or brackets, and cannot be "value".';
          this.app.pop();
          this.askText(name);
          return undefined;
        },
      }),
    );
  }

  /** Marks the occurrence of a text that is nearest to the cursor, if there is one nearby. */
  private place(name: string, text: string): void {
    if (text === "") return;
    const lines = [this.line, this.line - 1, this.line + 1, this.line - 2, this.line + 2];
    const line = lines.find((at) => (this.lines[at] ?? "").includes(text));
    if (line === undefined) return;
    const from = line === this.line ? this.cursor().start : 0;
    const all = this.lines[line] ?? "";
    const behind = all.indexOf(text, from);
    const start = behind < 0 ? all.indexOf(text) : behind;
    const mark = { name, line, start, end: start + text.length };
    const index = this.marks.findIndex((mark) => mark.name === name);
    if (index >= 0) this.marks.splice(index, 1, mark);
    else this.marks.push(mark);
  }

  private remove(): void {
    const { start, end } = this.cursor();
    const at = this.marks.findIndex(
      (mark) => mark.line === this.line && mark.start < end && start < mark.end,
    );
    if (at < 0) this.app.say("No mark under the cursor.");
    else this.marks.splice(at, 1);
  }

  private add(marks: readonly Mark[] | null): void {
    const value = marks?.find(({ name }) => name === VALUE);
    if (marks !== null && value === undefined) {
      this.app.say("Mark the value first (v), or mark the line as not a record (n).");
      return;
    }
    const at = value?.line ?? this.line;
    const lines = [at, ...(marks ?? []).map(({ line }) => line)];
    const [first, last] = [Math.min(...lines), Math.max(...lines)];
    const fields = new Map(
      (marks ?? []).filter(({ name }) => name !== VALUE).map((mark) => [mark.name, this.textOf(mark)]),
    );
    try {
      const example = exampleOfMarking({
        lines: this.lines.slice(first, last + 1),
        record: value === undefined ? null : { value: this.textOf(value), fields, at: at - first },
      });
      this.app.session.add(example);
      this.done();
    } catch (error) {
      if (!(error instanceof AtomsmithError)) throw error;
      this.app.say(`${error.message} ${error.details.hint ?? ""}`.trim());
    }
  }

  private textOf({ line, start, end }: Mark): string {
    return (this.lines[line] ?? "").slice(start, end);
  }

  private paint(name: string, text: string): string {
    return name === VALUE ? this.app.style.green(text) : this.app.style.yellow(text);
  }

  /** A line with its marks and the cursor, scrolled to the cursor. */
  private drawn(at: number, columns: number): string {
    const line = this.lines[at] ?? "";
    const cursor = at === this.line ? this.cursor() : undefined;
    const skip = cursor !== undefined && cursor.end > columns ? cursor.start - Math.floor(columns / 3) : 0;
    const own = this.marks.filter((mark) => mark.line === at);
    const edges = new Set([skip, line.length, ...own.flatMap(({ start, end }) => [start, end])]);
    if (cursor !== undefined) edges.add(cursor.start).add(cursor.end);
    const sorted = [...edges].filter((edge) => edge >= skip).sort((a, b) => a - b);
    const pieces = sorted.slice(1).map((end, index) => {
      const start = sorted[index] ?? 0;
      const text = line.slice(start, end);
      const mark = own.find((known) => known.start <= start && end <= known.end);
      const painted = mark === undefined ? text : this.paint(mark.name, text);
      return cursor !== undefined && cursor.start <= start && end <= cursor.end ? reverse(painted) : painted;
    });
    return pieces.join("");
  }
}

/** A word without surrounding punctuation: for `slack=-0.12,` the text after `=`. */
function bare(word: string): string {
  const inner = word.replace(/^[("'`[{<]+/, "").replace(/[)"'`\]}>,;:.]+$/, "");
  const assigned = /^[A-Za-z_][\w.-]*=(.+)$/.exec(inner)?.[1];
  return assigned ?? (inner === "" ? word : inner);
}
