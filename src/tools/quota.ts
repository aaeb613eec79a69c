// What an author may still read, counted in one place: every byte of every answer, whatever the tool, refusals
// included. A small reserve is kept so that the last refusals can still be given.

/** Bytes kept back for refusals, at most a twentieth of the limit. */
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

  /** Bytes left of the whole, never negative. */
  get left(): number {
    return Math.max(0, this.limit - this.spent);
  }

  /** Bytes left for answers that carry something. */
  get leftForAnswers(): number {
    return Math.max(0, this.left - Math.min(RESERVE, Math.floor(this.limit / 20)));
  }

  charge(bytes: number): void {
    this.spent += bytes;
  }
}
