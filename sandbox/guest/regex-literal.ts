// Finds a literal that every match of a pattern contains. Without its compiler V8 tries a pattern at each position, but
// searches for a fixed text many times faster: `re` (re.ts) searches for the literal first and tries the pattern only
// around it. This changes no result; it skips positions where no match can start.
import type { Case } from "./regex-classes.ts";
import type { Node } from "./regex-tree.ts";
import { type Width, widthOf } from "./regex-width.ts";

/** Every match that starts at `s` has `text` at `s + minOffset` to `s + maxOffset`, in UTF-16 code units. */
export interface Literal {
  text: string;
  minOffset: number;
  maxOffset: number;
}

/** A shorter text occurs too often to be worth searching for. */
const MIN_CHARS = 2;
/** A text at the start of every match saves a second search, which is worth this many characters. */
const START_BONUS = 4;

/** The most selective such text, if there is one. */
export function findLiteral(root: Node, how: Case): Literal | undefined {
  const collector = new Collector();
  collector.add(root, how);
  collector.endRun();
  return collector.best;
}

/** Whether every match begins at the start of a line. */
export function beginsLines(node: Node): boolean {
  switch (node.type) {
    case "at":
      return node.at === "^" && node.multiline;
    case "group":
      return beginsLines(node.body);
    case "alt":
      return node.branches.every(beginsLines);
    case "seq":
      return node.items[0] !== undefined && beginsLines(node.items[0]);
    default:
      return false;
  }
}

class Collector {
  best: Literal | undefined;
  private bestWorth = 0;
  private readonly widths = new Map<number, Width>();
  private run = "";
  private runAt: Width = [0, 0];
  /** Offset of the next item from the start of the match, in code units. */
  private at: Width = [0, 0];

  /** Adds an item that every match contains, in matching order. */
  add(node: Node, how: Case): void {
    switch (node.type) {
      case "char":
        this.char(node.code, how);
        return;
      case "set": {
        const [item] = node.items;
        if (!node.negated && node.items.length === 1 && item?.kind === "char") this.char(item.code, how);
        else this.skip(node);
        return;
      }
      case "group": {
        const inner = node.ignoreCase === null ? how : node.ignoreCase ? "expand" : "exact";
        this.add(node.body, inner);
        if (node.index !== null) this.widths.set(node.index, widthOf(node.body, this.widths));
        return;
      }
      case "seq":
        for (const item of node.items) this.add(item, how);
        return;
      case "repeat":
        this.repeat(node, how);
        return;
      case "at":
      case "look":
        // Zero width: its neighbours are adjacent.
        return;
      default:
        this.skip(node);
    }
  }

  private repeat(node: Node & { type: "repeat" }, how: Case): void {
    if (node.min === 0) {
      this.skip(node);
      return;
    }
    // The first repetition is certain; what follows it may be another one.
    this.add(node.body, how);
    if (node.min === 1 && node.max === 1) return;
    this.endRun();
    const [low, high] = widthOf(node.body, this.widths);
    this.move([low * (node.min - 1), high === 0 ? 0 : high * (node.max - 1)]);
  }

  private char(code: number, how: Case): void {
    if (!isPlain(code, how)) {
      this.endRun();
      this.move([1, 1]);
      return;
    }
    if (this.run === "") this.runAt = this.at;
    this.run += String.fromCharCode(code);
    this.at = [this.at[0] + 1, this.at[1] + 1];
  }

  private skip(node: Node): void {
    this.endRun();
    this.move(widthOf(node, this.widths));
  }

  /** `width` in characters; each has one or two code units. */
  private move(width: Width): void {
    this.at = [this.at[0] + width[0], this.at[1] + 2 * width[1]];
  }

  /** Ends the current run of literal characters and keeps it if it is the best so far. */
  endRun(): void {
    const { run } = this;
    this.run = "";
    if (run.length < MIN_CHARS) return;
    const [minOffset, maxOffset] = this.runAt;
    const worth = run.length + (maxOffset === 0 ? START_BONUS : 0);
    if (worth <= this.bestWorth) return;
    this.best = { text: run, minOffset, maxOffset };
    this.bestWorth = worth;
  }
}

/** Whether the character matches only itself, as one code unit that is not half of a surrogate pair. */
function isPlain(code: number, how: Case): boolean {
  if (code > 0xffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  if (how === "exact") return true;
  const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return code < 0x80 && !letter;
}
