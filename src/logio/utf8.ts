// UTF-8 validation of texts in pieces, which may split a character.
import { isUtf8 } from "node:buffer";

/** Checks whether a text that is added in pieces is valid UTF-8. */
export class Utf8Checker {
  private valid = true;
  private carry: Uint8Array = new Uint8Array(0);

  add(piece: Uint8Array): void {
    if (!this.valid) return;
    const joined = this.carry.byteLength === 0 ? piece : Buffer.concat([this.carry, piece]);
    // The piece may end within a sequence: keep a possible start for the next piece.
    const whole = joined.byteLength - incompleteTail(joined);
    this.valid = isUtf8(joined.subarray(0, whole));
    // A copy, because the caller reuses its buffer.
    this.carry = new Uint8Array(joined.subarray(whole));
  }

  /** The result after the last piece. */
  end(): boolean {
    return this.valid && this.carry.byteLength === 0;
  }
}

/** Number of bytes at the end that begin an incomplete sequence (0 to 3). */
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
