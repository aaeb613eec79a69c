// Is it UTF-8? For texts that come in pieces, which may cut a character.
import { isUtf8 } from "node:buffer";

/** Is a text that comes in pieces valid UTF-8? */
export class Utf8Checker {
  private valid = true;
  private carry: Uint8Array = new Uint8Array(0);

  add(piece: Uint8Array): void {
    if (!this.valid) return;
    const joined = this.carry.byteLength === 0 ? piece : Buffer.concat([this.carry, piece]);
    // A sequence may be cut by the end of the piece: keep what could be the start of one.
    const whole = joined.byteLength - incompleteTail(joined);
    this.valid = isUtf8(joined.subarray(0, whole));
    // A copy: the caller uses its buffer again.
    this.carry = new Uint8Array(joined.subarray(whole));
  }

  /** The verdict when nothing more comes. */
  end(): boolean {
    return this.valid && this.carry.byteLength === 0;
  }
}

/** Bytes at the end that begin a sequence which is not complete (0 to 3). */
export function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.byteLength); back += 1) {
    const byte = bytes[bytes.byteLength - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const need = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return need > back ? back : 0;
    }
  }
  return 0;
}
