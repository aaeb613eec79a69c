// The screen stack of `atomsmith label`: the top screen is drawn and receives the keys.
import type { LabelSession } from "../../label/session.ts";
import type { Key } from "../io.ts";
import type { Style } from "../style.ts";
import type { FullScreen, KeyQueue } from "../terminal.ts";

/** The content of a screen: title, body and its keys. */
export interface View {
  title: string;
  body: string[];
  /** Keys with their descriptions. */
  keys: readonly (readonly [key: string, does: string])[];
}

export interface Screen {
  /** The content for a terminal size. */
  view(columns: number, rows: number): View;
  key(key: Key): void | Promise<void>;
}

/** How the user left: with blocks to write, or without. */
export type Left = { write: false } | { write: true; check: string | null };

export class LabelApp {
  readonly session: LabelSession;
  readonly style: Style;
  private readonly screens: Screen[] = [];
  private message = "";
  private left: Left | undefined;

  constructor(session: LabelSession, style: Style) {
    this.session = session;
    this.style = style;
  }

  push(screen: Screen): void {
    this.screens.push(screen);
  }

  /** Returns to the screen below. */
  pop(): void {
    if (this.screens.length > 1) this.screens.pop();
  }

  /** Returns to the first screen and pushes others on it. */
  goTo(...screens: readonly Screen[]): void {
    this.screens.splice(1, this.screens.length, ...screens);
  }

  /** Shows a message until the next key. */
  say(message: string): void {
    this.message = message;
  }

  leave(left: Left): void {
    this.left = left;
  }

  /** Shows screens until the user leaves. Throws the signal's reason. */
  async run(screen: FullScreen, keys: KeyQueue): Promise<Left> {
    while (this.left === undefined) {
      if (!keys.waiting) screen.draw(this.frame(screen.size));
      const key = await keys.next();
      if (key.name === "resize") continue;
      this.message = "";
      await this.screens.at(-1)?.key(key);
    }
    return this.left;
  }

  /** The full screen as lines. */
  frame({ columns, rows }: { columns: number; rows: number }): string[] {
    const top = this.screens.at(-1);
    if (top === undefined) return [];
    const { bold, dim, cyan, yellow } = this.style;
    const room = Math.max(0, rows - FRAME);
    const { title, body, keys } = top.view(columns, room);
    const rule = dim("─".repeat(columns));
    const filled = Array.from({ length: room }, (_, row) => body[row] ?? "");
    const help = keys.map(([key, does]) => ({
      text: `${cyan(key)} ${does}`,
      width: key.length + does.length + 4,
    }));
    const lines: { text: string; width: number }[] = [{ text: "", width: 0 }];
    for (const { text, width } of help) {
      const last = lines.at(-1);
      if (last === undefined || last.width + width > columns + 3) lines.push({ text, width });
      else
        lines.splice(-1, 1, {
          text: last.text === "" ? text : `${last.text}   ${text}`,
          width: last.width + width,
        });
    }
    return [bold(title), rule, ...filled, rule, yellow(this.message), ...lines.map(({ text }) => text)];
  }
}

/** Lines around the body: title, two rules, message, two lines of keys. */
const FRAME = 6;
