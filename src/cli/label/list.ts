// A scrolling list with one selected line; text after `/` filters the lines.
import type { Key } from "../io.ts";
import type { Style } from "../style.ts";
import { reverse } from "../terminal.ts";

export class ScrolledList<T> {
  private readonly all: () => readonly T[];
  private readonly textOf: (entry: T) => string;
  private at = 0;
  private top = 0;
  private wanted = "";
  private typing = false;
  private kept: { all: readonly T[]; wanted: string; entries: readonly T[] } | undefined;

  constructor(all: () => readonly T[], textOf: (entry: T) => string) {
    this.all = all;
    this.textOf = textOf;
  }

  /** The filtered entries, cached until the list or the filter changes. */
  get entries(): readonly T[] {
    const all = this.all();
    const wanted = this.wanted.toLowerCase();
    if (this.kept?.all !== all || this.kept.wanted !== wanted) {
      const entries =
        wanted === "" ? all : all.filter((entry) => this.textOf(entry).toLowerCase().includes(wanted));
      this.kept = { all, wanted, entries };
    }
    return this.kept.entries;
  }

  get chosen(): T | undefined {
    return this.entries[this.at];
  }

  /** Takes keys that move or filter; false for others. */
  key({ name, text, ctrl }: Key): boolean {
    if (this.typing) return this.type(name, text);
    if (text === "/") {
      this.typing = true;
      return true;
    }
    const steps: Readonly<Record<string, number>> = {
      up: -1,
      down: 1,
      pageup: -PAGE,
      pagedown: PAGE,
      home: Number.NEGATIVE_INFINITY,
      end: Number.POSITIVE_INFINITY,
    };
    const step = ctrl ? undefined : steps[name];
    if (step === undefined) return false;
    this.at = Math.max(0, Math.min(this.entries.length - 1, this.at + step));
    return true;
  }

  private type(name: string, text: string): boolean {
    if (name === "return" || name === "enter") this.typing = false;
    else if (name === "escape") {
      this.typing = false;
      this.wanted = "";
    } else if (name === "backspace") this.wanted = this.wanted.slice(0, -1);
    else if (text !== "") this.wanted += text;
    else return false;
    this.at = 0;
    return true;
  }

  /** The visible part of the list. */
  lines(rows: number, style: Style): string[] {
    const { entries } = this;
    const filter = this.typing || this.wanted !== "" ? [`/${this.wanted}${this.typing ? "▏" : ""}`] : [];
    const room = Math.max(1, rows - filter.length - 1);
    this.at = Math.max(0, Math.min(this.at, entries.length - 1));
    this.top = Math.max(0, Math.min(this.top, this.at), this.at - room + 1);
    const shown = entries.slice(this.top, this.top + room).map((entry, index) => {
      const text = this.textOf(entry);
      return this.top + index === this.at ? reverse(`› ${text}`) : `  ${text}`;
    });
    const more = entries.length - this.top - shown.length;
    return [...filter, ...shown, ...(more > 0 ? [style.dim(`  … ${more} more`)] : [])];
  }
}

const PAGE = 10;
