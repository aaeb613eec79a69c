// Differences between a line and the examples. Lines with equal differences are of one kind and are decided together.

export type DiffKind =
  /** A fixed word, number or mark is missing or replaced. */
  | "word"
  | "number"
  | "mark"
  /** A key in front of `=` or `:` is missing. */
  | "key"
  /** Unlabelled text that the examples do not have. */
  | "inserted"
  /** Only the keys in front of the parts are as in the examples. */
  | "keys"
  /** Text in front of the line, with or without a time. */
  | "stamp"
  | "prefix"
  /** The line or member with a part is missing. */
  | "absent"
  /** The text of a part is of another type: not a number, not only digits, zero, another sign, only marks. */
  | "type"
  | "digits"
  | "zero"
  | "sign"
  | "marks"
  /** A part has several words; in the examples it has one. */
  | "words"
  /** A part that has the same text in all examples has another text. */
  | "constant"
  /** An unlabelled member of a document, or the text behind a key, differs from all examples. */
  | "member"
  /** The cell of a part is blank. */
  | "blank"
  /** The line is a heading, or below a heading that no example is below. */
  | "heading"
  /** The line is the last row of a table, below a rule. */
  | "closing";

export interface Diff {
  kind: DiffKind;
  /** The element, part, line or heading that differs. */
  subject: string;
  /** The difference is behind the last part. */
  tail?: boolean;
}

/** Identity of a difference. */
export function diffKey({ kind, subject }: Diff): string {
  return `${kind} ${subject}`;
}

/** Adds a difference unless the list contains it. */
export function addDiff(diffs: Diff[], diff: Diff): void {
  if (!diffs.some((known) => diffKey(known) === diffKey(diff))) diffs.push(diff);
}
