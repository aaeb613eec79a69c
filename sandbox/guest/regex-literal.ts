// A text that stands in every match of a pattern. V8 without its compiler tries a pattern at each position, but looks
// for a fixed text many times faster: `re` (re.ts) looks for the text first and tries the pattern only around it.
// That changes no result, only where nothing can be found is skipped.
import type { Case } from "./regex-classes.ts";
import type { Node } from "./regex-tree.ts";
import { type Width, widthOf } from "./regex-width.ts";

/** Every match that starts at `s` has `text` at a place between `s + least` and `s + most`, in UTF-16 code units. */
export interface Literal {
  text: string;
  least: number;
  most: number;
}

/** A shorter text stands in too many places to be worth looking for. */
const MIN_CHARS = 2;
/** A text at the start of every match needs no second look, which makes up for this many characters. */
const START_BONUS = 4;

/** The most useful such text, if there is one. */
export function findLiteral(root: Node, how: Case): Literal | undefined {
  const collector = new Collector();
  collector.add(root, how);
  collector.endRun();
  return collector.best;
}

/** Does every match begin where a line does? */
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
  /** How far from the start of the match the next item begins, code units. */
  private at: Width = [0, 0];

  /** Takes in what every match goes through, in its order. */
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
        // Takes no room: what stands before and after it is next to each other.
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
    // The first round is like what it repeats; what comes after it may be one more round.
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

  /** What was gathered is complete. */
  endRun(): void {
    const { run } = this;
    this.run = "";
    if (run.length < MIN_CHARS) return;
    const [least, most] = this.runAt;
    const worth = run.length + (most === 0 ? START_BONUS : 0);
    if (worth <= this.bestWorth) return;
    this.best = { text: run, least, most };
    this.bestWorth = worth;
  }
}

/** Does the character match itself and nothing else, as one code unit that is no half of another character? */
function isPlain(code: number, how: Case): boolean {
  if (code > 0xffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  if (how === "exact") return true;
  const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return code < 0x80 && !letter;
}
