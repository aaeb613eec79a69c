// What the HTML page shows: plain data, filled by check-page.ts and by batch. Every text is escaped on rendering.

export type Tone = "good" | "bad" | "warn" | "quiet";

/** A status that entries have and a reader filters by. */
export interface PageStatus {
  key: string;
  /** Plural, for the counter: `passed`, `could not be judged`. */
  label: string;
  /** On the entry itself: `PASS`. */
  badge: string;
  tone: Tone;
}

export interface PageTag {
  text: string;
  tone: Tone;
}

/** One line of a log in context. */
export interface ContextLine {
  number: number;
  text: string;
  hit: boolean;
}

export interface EvidenceEntry {
  /** The value, or what was looked for. */
  text: string;
  tags: PageTag[];
  /** `logs/a.log:12`; empty when it stands nowhere. */
  place: string;
  /** Sentences below it: which pattern named it, which waiver took it and why. */
  notes: { label: string; text: string }[];
  fields: [name: string, value: string][];
  context: ContextLine[];
}

export interface CodeLine {
  text: string;
  change: "same" | "added" | "removed";
}

export type PageBlock =
  | {
      kind: "messages";
      title: string;
      tone: Tone;
      messages: { label: string; text: string; place: string }[];
    }
  | {
      kind: "evidence";
      title: string;
      tone: Tone;
      /** All there are; `entries` may be fewer. */
      count: number;
      entries: EvidenceEntry[];
      /** Where the rest is. */
      rest: string;
    }
  | { kind: "table"; title: string; header: string[]; rows: string[][] }
  | { kind: "list"; title: string; items: string[]; code: boolean }
  | { kind: "facts"; title: string; facts: [label: string, value: string][] }
  /** Sizes over a sequence, as stacked bars. */
  | PlotBlock
  /** A text of many lines, closed until someone looks; changed lines carry the sign of a difference. */
  | { kind: "code"; title: string; note: string; lines: CodeLine[] };

export interface PlotBlock {
  kind: "plot";
  title: string;
  note: string;
  /** What is counted: `tokens`. */
  unit: string;
  /** What one bar stands for: `request`. */
  bar: string;
  /** Names of the parts of a bar, lowest first. At most five. */
  series: string[];
  /** In order. `mark`: a line in front of it, where something begins. */
  bars: { label: string; parts: number[]; mark: boolean }[];
}

export interface PageEntry {
  id: string;
  status: string;
  /** `type 2: patterns`. */
  kind: string;
  headline: string;
  description: string;
  tags: PageTag[];
  durationMs: number | null;
  blocks: PageBlock[];
}

export interface PageData {
  title: string;
  /** The run in a few facts. */
  facts: [label: string, value: string][];
  statuses: PageStatus[];
  /** Notices above the list, e.g. that unverified sets were run. */
  notices: { tone: Tone; text: string }[];
  /** What concerns all entries, above them. */
  overview?: PageBlock[];
  entries: PageEntry[];
  /** Words for "items" in counters. */
  noun: { one: string; many: string };
}
