// Line editor for a terminal: editing, history, completion, and `\` at the end of a line to continue it.
import type { Io, Key } from "../io.ts";
import { displayWidth } from "../style.ts";
import { type KeyQueue, reverse } from "../terminal.ts";

export interface Completions {
  /** Completions of the word that ends at the cursor. */
  of(before: string): { start: number; words: readonly string[] };
}

export class LineEditor {
  private readonly io: Io;
  private readonly keys: KeyQueue;
  private readonly history: string[];
  private readonly completions: Completions;
  private text = "";
  private at = 0;
  private past: number;

  constructor(io: Io, keys: KeyQueue, history: readonly string[], completions: Completions) {
    this.io = io;
    this.keys = keys;
    this.history = [...history];
    this.completions = completions;
    this.past = this.history.length;
  }

  /** Reads one message, its lines joined; undefined after Ctrl-D on an empty line. */
  async read(prompt: string): Promise<string | undefined> {
    const lines: string[] = [];
    for (;;) {
      const line = await this.line(lines.length === 0 ? prompt : "… ");
      if (line === undefined) return lines.length === 0 ? undefined : lines.join("\n");
      if (!line.endsWith("\\")) {
        const whole = [...lines, line].join("\n");
        if (whole.trim() !== "" && this.history.at(-1) !== whole) this.history.push(whole);
        return whole;
      }
      lines.push(line.slice(0, -1));
    }
  }

  /** Reads one of the allowed keys; ignores others. Undefined after Ctrl-D. */
  async choose(question: string, allowed: readonly string[]): Promise<string | undefined> {
    this.io.stderr.write(question);
    for (;;) {
      const key = await this.keys.next();
      if (key.ctrl && key.name === "d") {
        this.io.stderr.write("\n");
        return undefined;
      }
      if (!allowed.includes(key.text.toLowerCase())) continue;
      this.io.stderr.write(`${key.text}\n`);
      return key.text.toLowerCase();
    }
  }

  private async line(prompt: string): Promise<string | undefined> {
    this.text = "";
    this.at = 0;
    this.past = this.history.length;
    for (;;) {
      if (!this.keys.waiting) this.draw(prompt);
      const key = await this.keys.next();
      if (key.name === "return" || key.name === "enter") {
        this.draw(prompt, true);
        this.io.stderr.write("\n");
        return this.text;
      }
      if (key.ctrl && key.name === "d" && this.text === "") {
        this.io.stderr.write("\r\x1b[K");
        return undefined;
      }
      this.handleKey(key);
    }
  }

  private handleKey({ name, text, ctrl }: Key): void {
    if (text !== "") this.insert(text);
    else if (name === "backspace" && this.at > 0) this.cut(this.at - 1, this.at);
    else if (name === "delete" || (ctrl && name === "d")) this.cut(this.at, this.at + 1);
    else if (name === "left") this.at = Math.max(0, this.at - 1);
    else if (name === "right") this.at = Math.min(this.text.length, this.at + 1);
    else if (name === "home" || (ctrl && name === "a")) this.at = 0;
    else if (name === "end" || (ctrl && name === "e")) this.at = this.text.length;
    else if (ctrl && name === "u") this.cut(0, this.at);
    else if (ctrl && name === "k") this.cut(this.at, this.text.length);
    else if (ctrl && name === "w")
      this.cut(this.text.slice(0, this.at).trimEnd().lastIndexOf(" ") + 1, this.at);
    else if (name === "up") this.recall(this.past - 1);
    else if (name === "down") this.recall(this.past + 1);
    else if (name === "tab") this.complete();
  }

  private insert(text: string): void {
    this.text = this.text.slice(0, this.at) + text + this.text.slice(this.at);
    this.at += text.length;
  }

  private cut(from: number, to: number): void {
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.at = from;
  }

  private recall(index: number): void {
    if (index < 0 || index > this.history.length) return;
    this.past = index;
    // A message of several lines is recalled as one line.
    this.text = (this.history[index] ?? "").replaceAll("\n", " ");
    this.at = this.text.length;
  }

  /** Inserts the longest common prefix of the completions; lists them if there is nothing to insert. */
  private complete(): void {
    const { start, words } = this.completions.of(this.text.slice(0, this.at));
    const [first] = words;
    if (first === undefined) return;
    let shared = first;
    for (const word of words) while (!word.startsWith(shared)) shared = shared.slice(0, -1);
    const typed = this.text.slice(start, this.at);
    if (words.length === 1 || shared.length > typed.length) {
      this.cut(start, this.at);
      this.insert(shared);
    } else {
      this.io.stderr.write(
        `\r\x1b[K${words.slice(0, MANY).join("  ")}${words.length > MANY ? `  … ${words.length - MANY} more` : ""}\n`,
      );
    }
  }

  /** Draws the line; a long one is scrolled to the cursor. */
  private draw(prompt: string, plain = false): void {
    const room = Math.max(10, this.io.stderr.columns - displayWidth(prompt) - 2);
    const from = displayWidth(this.text) <= room ? 0 : Math.max(0, this.at - Math.floor(room / 2));
    const part = this.text.slice(from, from + room);
    const at = this.at - from;
    const line = plain ? part : `${part.slice(0, at)}${reverse(part[at] ?? " ")}${part.slice(at + 1)}`;
    this.io.stderr.write(`\r\x1b[K${prompt}${line}`);
  }
}

/** Most completions in a list. */
const MANY = 40;
