// Screen to enter or edit one line of text.
import type { Key } from "../io.ts";
import { reverse } from "../terminal.ts";
import type { LabelApp, Screen, View } from "./app.ts";

export interface Question {
  title: string;
  /** Text above the input line. */
  about: string[];
  text: string;
  /** Tab cycles through these. */
  suggestions: readonly string[];
  /** Accepts the text, or returns an error message and keeps the screen open. */
  done(text: string): string | undefined;
}

export class InputScreen implements Screen {
  private readonly app: LabelApp;
  private readonly question: Question;
  private text: string;
  private at: number;
  private suggested = -1;

  constructor(app: LabelApp, question: Question) {
    this.app = app;
    this.question = question;
    this.text = question.text;
    this.at = this.text.length;
  }

  view(): View {
    const { title, about, suggestions } = this.question;
    const { style } = this.app;
    const marked = reverse(this.text[this.at] ?? " ");
    const line = `  ${this.text.slice(0, this.at)}${marked}${this.text.slice(this.at + 1)}`;
    const known = suggestions.length === 0 ? [] : ["", style.dim(`  ${suggestions.join("  ")}`)];
    return {
      title,
      body: [...about, "", line, ...known],
      keys: [
        ["Enter", "accept"],
        ...(suggestions.length === 0 ? [] : [["Tab", "next suggestion"] as const]),
        ["Esc", "back"],
      ],
    };
  }

  key({ name, text, ctrl }: Key): void {
    if (name === "escape") this.app.pop();
    else if (name === "return" || name === "enter") this.finish();
    else if (name === "tab") this.suggest();
    else this.edit(name, text, ctrl);
  }

  private finish(): void {
    const before = this.app;
    const wrong = this.question.done(this.text.trim());
    if (wrong !== undefined) before.say(wrong);
  }

  private suggest(): void {
    const { suggestions } = this.question;
    if (suggestions.length === 0) return;
    this.suggested = (this.suggested + 1) % suggestions.length;
    this.text = suggestions[this.suggested] ?? "";
    this.at = this.text.length;
  }

  private edit(name: string, text: string, ctrl: boolean): void {
    const { text: line, at } = this;
    if (text !== "") {
      this.text = line.slice(0, at) + text + line.slice(at);
      this.at += text.length;
    } else if (name === "backspace" && at > 0) {
      this.text = line.slice(0, at - 1) + line.slice(at);
      this.at -= 1;
    } else if (name === "delete") this.text = line.slice(0, at) + line.slice(at + 1);
    else if (name === "left") this.at = Math.max(0, at - 1);
    else if (name === "right") this.at = Math.min(line.length, at + 1);
    else if (name === "home" || (ctrl && name === "a")) this.at = 0;
    else if (name === "end" || (ctrl && name === "e")) this.at = line.length;
    else if (ctrl && name === "u") {
      this.text = line.slice(at);
      this.at = 0;
    }
  }
}
