// Collects the crumbs of a stream into pieces worth an event, each masked. A secret may lie across the border of two
// pieces: a piece ends only where masking its two sides apart gives the same text as masking them together.
import type { Redact } from "../core/redact/index.ts";

/** Text is handed on in pieces of at least about this many characters. */
const DELTA_CHARS = 80;
/** Whole words held back: the name of a secret, the sign after it and its value stand in fewer. */
const HELD_WORDS = 4;

export class DeltaBuffer {
  private text = "";
  /** Length at which the next piece is tried; grows while no border is found, so that the work stays linear. */
  private tryAt = DELTA_CHARS;
  private readonly redact: Redact;
  private readonly send: (text: string) => void;

  constructor(redact: Redact, send: (text: string) => void) {
    this.redact = redact;
    this.send = send;
  }

  add(text: string): void {
    this.text += text;
    if (this.text.length < this.tryAt) return;
    const border = borderOf(this.text);
    const head = border === 0 ? "" : this.redact(this.text.slice(0, border));
    const tail = this.text.slice(border);
    if (head === "" || head + this.redact(tail) !== this.redact(this.text)) {
      this.tryAt = Math.max(this.tryAt + DELTA_CHARS, Math.ceil(this.text.length * 1.25));
      return;
    }
    this.send(head);
    this.text = tail;
    this.tryAt = tail.length + DELTA_CHARS;
  }

  /** Hands on what is left, at the end of the stream. */
  flush(): void {
    if (this.text !== "") this.send(this.redact(this.text));
    this.text = "";
    this.tryAt = DELTA_CHARS;
  }
}

/** Where the words that are held back begin: after a blank, with so many whole words behind it; 0: nowhere. */
function borderOf(text: string): number {
  let at = text.length;
  for (let blanks = 0; at > 0; at -= 1) {
    if (!/\s/.test(text[at - 1] ?? "")) continue;
    // Several blanks in a row end one word.
    if (at < text.length && /\s/.test(text[at] ?? "")) continue;
    blanks += 1;
    if (blanks > HELD_WORDS) return at;
  }
  return 0;
}
