// The live view of a terminal: two summary lines and a line per running item, redrawn in place on stderr from the
// summed-up events; removed before other output is written.
import type { Sink } from "../io.ts";
import type { LiveArea } from "../output.ts";
import { displayWidth, type Style } from "../style.ts";
import { countsText, doneText, duration, type ProgressState } from "./state.ts";

const HIDE_CURSOR = "\x1b[?25l";
const SHOW_CURSOR = "\x1b[?25h";
const CLEAR_DOWN = "\x1b[0J";
const MAX_ITEMS = 10;
const BAR = 24;

export class LiveView implements LiveArea {
  private readonly state: ProgressState;
  private readonly terminal: Sink;
  private readonly style: Style;
  private drawn = 0;
  private hidden = false;
  private stopped = false;

  constructor(state: ProgressState, terminal: Sink, style: Style) {
    this.state = state;
    this.terminal = terminal;
    this.style = style;
  }

  /** Draws the current state over the previous drawing. */
  draw(now: number): void {
    if (this.stopped || this.state.items.size === 0) return;
    const lines = viewLines(this.state, now, this.terminal.columns - 1, this.terminal.rows - 1, this.style);
    const start = this.hidden ? "" : HIDE_CURSOR;
    this.hidden = true;
    this.terminal.write(`${start}${this.up()}${lines.map((line) => `${line}\x1b[K`).join("\n")}\n`);
    this.drawn = lines.length;
  }

  interrupt(write: () => void): void {
    this.clear();
    write();
  }

  /** Removes the view and shows the cursor again. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    this.clear();
    if (this.hidden) this.terminal.write(SHOW_CURSOR);
  }

  private clear(): void {
    if (this.drawn > 0) this.terminal.write(this.up());
    this.drawn = 0;
  }

  private up(): string {
    return this.drawn === 0 ? "" : `\x1b[${this.drawn}A\r${CLEAR_DOWN}`;
  }
}

/** The lines of the view, each at most `columns` wide, at most `rows` of them. */
export function viewLines(
  state: ProgressState,
  now: number,
  columns: number,
  rows: number,
  style: Style,
): string[] {
  const running = [...state.items].filter(([, item]) => item.state === "running");
  running.sort(([, a], [, b]) => a.startedAt - b.startedAt);
  const room = Math.max(1, Math.min(MAX_ITEMS, rows - 3));
  const shown = running.slice(0, running.length > room ? room - 1 : room);
  const idWidth = Math.max(0, ...shown.map(([id]) => displayWidth(id)));
  const stageWidth = Math.max(0, ...shown.map(([, item]) => stageText(item).length));
  const lines = shown.map(([id, item]) => {
    const time = duration(now - item.startedAt).padStart(8);
    const head = `  ${pad(id, idWidth)}  ${pad(stageText(item), stageWidth)}  ${time}`;
    return fit(item.detail === "" ? head : `${head}  ${style.dim(item.detail)}`, columns);
  });
  if (shown.length < running.length) lines.push(fit(`  and ${running.length - shown.length} more`, columns));
  const bar = state.total === null ? "" : `${progressBar(state, style)} `;
  return [fit(`${bar}${doneText(state, now)}`, columns), fit(countsText(state, now), columns), ...lines];
}

function stageText(item: { stage: string; iteration: number }): string {
  if (item.stage === "") return "starting";
  return item.iteration > 1 ? `${item.stage} (attempt ${item.iteration})` : item.stage;
}

function progressBar(state: ProgressState, style: Style): string {
  const total = Math.max(1, state.total ?? 1);
  const done = state.items.size - state.count("running");
  const filled = Math.min(BAR, Math.floor((done / total) * BAR));
  return `[${style.green("#".repeat(filled))}${style.dim("-".repeat(BAR - filled))}]`;
}

function pad(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Cuts a line, colours included, to a width; control characters in it become spaces. */
export function fit(line: string, columns: number): string {
  let width = 0;
  let result = "";
  // A colour code is one unit without width.
  for (const [unit] of line.matchAll(/\x1b\[\d+m|[\s\S]/gu)) {
    if (unit.startsWith("\x1b[") && unit.length > 1) {
      result += unit;
      continue;
    }
    const safe = /[\x00-\x1f\x7f-\x9f]/.test(unit) ? " " : unit;
    width += displayWidth(safe);
    if (width <= columns) result += safe;
  }
  return result;
}
