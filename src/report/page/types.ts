// The data of an HTML page, filled by check-page.ts and batch-page.ts. Every text is escaped when it is rendered.

export type Tone = "good" | "bad" | "warn" | "quiet";

/** A status of entries; the page has a filter for each. */
export interface PageStatus {
  key: string;
  /** Plural, for the counter: `passed`, `could not be judged`. */
  label: string;
  /** Shown on the entry: `PASS`. */
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
  /** The value, or the text that was searched for. */
  text: string;
  tags: PageTag[];
  /** `logs/a.log:12`; empty when the entry has no location. */
  place: string;
  /** Notes below it: the matching pattern, the waiver and its reason. */
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
      /** Number of all entries; `entries` may have fewer. */
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
  /** A text of many lines, initially closed; changed lines have the sign of a diff. */
  | { kind: "code"; title: string; note: string; lines: CodeLine[] };

export interface PlotBlock {
  kind: "plot";
  title: string;
  note: string;
  /** The unit of the sizes: `tokens`. */
  unit: string;
  /** The meaning of one bar: `request`. */
  bar: string;
  /** Names of the parts of a bar, lowest first. At most five. */
  series: string[];
  /** In order. `mark`: draws a line before the bar, where a new phase begins. */
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
  /** Blocks about all entries, shown above them. */
  overview?: PageBlock[];
  entries: PageEntry[];
  /** Words for "items" in counters. */
  noun: { one: string; many: string };
}
