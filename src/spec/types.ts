// A parsed ItemSpec and its slices for the authors. docs/contract.md, sections 1 and 6.
import type { ExactBlock } from "./blocks.ts";
import type { WorkedExample } from "./example.ts";

export const SECTION_KEYS = ["1", "2", "3", "4.1", "4.2", "4.3"] as const;
export type SectionKey = (typeof SECTION_KEYS)[number];

export interface SpecSection {
  key: SectionKey;
  /** Heading as written, without the marks. */
  heading: string;
  /** 1-based line of the heading in the file. */
  line: number;
  /** The text below the heading up to the next section: introduction, subheadings, code blocks. */
  text: string;
}

export interface SpecHeading {
  depth: number;
  text: string;
  line: number;
  /** The section that it starts, if any. */
  key?: SectionKey | "4";
}

/** An exact block and its section; null: outside all sections. */
export interface SpecBlock extends ExactBlock {
  section: SectionKey | null;
}

export interface ItemSpec {
  id: string;
  path: string;
  /** SHA-256 of the file's bytes. */
  sha256: string;
  title: string;
  sections: Record<SectionKey, SpecSection | undefined>;
  /** The `example`, `check` and `witness` blocks in order, including those in a section where they do not count. */
  blocks: SpecBlock[];
  /** Every heading of the page. The introduction of section 4 before 4.1 belongs to neither author. */
  headings: SpecHeading[];
  warnings: string[];
}

/** The part of the page for Agent A: sections 1 and 4.1. */
export interface ParsingSlice {
  item_id: string;
  section_1: string;
  section_4_1: string;
  /** The worked examples of these sections and of answers. */
  examples: WorkedExample[];
  /** Patterns of the witness blocks, likewise: plain text, or `regex:` and an expression. */
  witnesses: string[];
}

/** The part of the page for Agent B: sections 2, 3 and 4.2. */
export interface LogicSlice {
  item_id: string;
  section_2: string;
  section_3: string;
  section_4_2: string;
  /** YAML of the check block of section 2 or 3, or of an answer; null without one. */
  check: string | null;
}
