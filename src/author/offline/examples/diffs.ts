// What distinguishes a line from the examples: one named difference each. Lines with equal differences are of one
// kind and are decided together.

export type DiffKind =
  /** A fixed word, number or mark is missing or another one. */
  | "word"
  | "number"
  | "mark"
  /** A key in front of `=` or `:` is missing. */
  | "key"
  /** Unlabelled text that the examples do not have. */
  | "inserted"
  /** Nothing in common with the examples but the keys in front of the parts. */
  | "keys"
  /** Text in front of the line, with a time in it or without. */
  | "stamp"
  | "prefix"
  /** A part stands on a line that is not there. */
  | "absent"
  /** The text of a part is of another kind: no number, not only digits, zero, another sign, marks alone. */
  | "type"
  | "digits"
  | "zero"
  | "sign"
  | "marks"
  /** A part of several words where the examples have one. */
  | "words"
  /** All examples have the same text for a part, and this one has another. */
  | "constant"
  /** An unlabelled member of a document or behind a key has another text than in all examples. */
  | "member"
  /** The cell of a part is blank. */
  | "blank"
  /** Under a heading under which no example stands; behind a rule at the end of a table. */
  | "heading"
  | "closing";

export interface Diff {
  kind: DiffKind;
  /** Which element, part, line or heading. */
  at: string;
  /** Behind the last part. */
  tail?: boolean;
}

export function diffKey({ kind, at }: Diff): string {
  return `${kind} ${at}`;
}

/** Adds a difference unless it is there. */
export function addDiff(diffs: Diff[], diff: Diff): void {
  if (!diffs.some((one) => diffKey(one) === diffKey(diff))) diffs.push(diff);
}
