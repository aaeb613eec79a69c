// Joins the chunks of a stream into larger masked pieces, one event each. A secret may span two pieces: a piece ends
// only where masking both sides separately gives the same text as masking them together.
import type { Redact } from "../core/redact/index.ts";

/** Approximate minimum characters of a piece. */
const DELTA_CHARS = 80;
/** Words held back: the name of a secret, its separator and its value have fewer. */
const HELD_WORDS = 4;

export class DeltaBuffer {
  private text = "";
  /** Length at which to try the next piece; grows while no boundary is found, so that the work is linear. */
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

  /** Sends the remaining text at the end of the stream. */
  flush(): void {
    if (this.text !== "") this.send(this.redact(this.text));
    this.text = "";
    this.tryAt = DELTA_CHARS;
  }
}

/** Start of the words to hold back: after a space that is followed by HELD_WORDS words; 0 if there is none. */
function borderOf(text: string): number {
  let at = text.length;
  for (let blanks = 0; at > 0; at -= 1) {
    if (!/\s/.test(text[at - 1] ?? "")) continue;
    // Consecutive spaces end one word.
    if (at < text.length && /\s/.test(text[at] ?? "")) continue;
    blanks += 1;
    if (blanks > HELD_WORDS) return at;
  }
  return 0;
}
