// The reading quota of an author: every byte of every answer of every tool counts, including refusals. A small reserve is
// kept for the last refusals.

/** Bytes reserved for refusals, at most a twentieth of the limit. */
const RESERVE = 1024;

export class Quota {
  readonly limit: number;
  private spent: number;

  constructor(limit: number, spent = 0) {
    this.limit = limit;
    this.spent = spent;
  }

  get used(): number {
    return this.spent;
  }

  /** Remaining bytes, including the reserve. */
  get left(): number {
    return Math.max(0, this.limit - this.spent);
  }

  /** Remaining bytes for answers with data, without the reserve. */
  get leftForAnswers(): number {
    return Math.max(0, this.left - Math.min(RESERVE, Math.floor(this.limit / 20)));
  }

  charge(bytes: number): void {
    this.spent += bytes;
  }
}
