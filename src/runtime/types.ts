// Ports of the runtime for gates, loops and commands.
import type { ExistenceResult, MatchResult, ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { JsonObject } from "../core/json.ts";
import type { TextReading } from "../logio/text.ts";

/** Reads inputs for L1. One reader is shared by all items of a run. */
export interface TextReader {
  read(path: string): Promise<TextReading>;
}

/** Facts that show whether a text is complete. */
export interface InputEnd {
  /** It contains only whitespace. */
  blank: boolean;
  /** It contains a witness. */
  witness: boolean;
  /** Its last line has no line end and belongs to a record. */
  torn: boolean;
}

/** An input, not a referenced file, that was read to its end. */
export interface InputFacts {
  path: string;
  records: number;
  end: InputEnd;
}

export interface ExtractionRun {
  items: ParsedItem[];
  searchedFiles: string[];
  inputs: InputFacts[];
  diagnostics: Diagnostic[];
}

/** The result of Atom A on one file. */
export interface FileExtraction {
  /** Absolute path, links resolved. */
  path: string;
  /** Whether it was read to its end; only then it is a searched file. */
  read: boolean;
  items: ParsedItem[];
  diagnostics: Diagnostic[];
  /** null when it was not read. */
  end: InputEnd | null;
}

/** Reads a file and runs Atom A over it. Never throws; one call per file. */
export type FileExtractor = (path: string) => Promise<FileExtraction>;

/** The arguments of one call of `validate_logic`, in its order. */
export interface MatchCall {
  text: string;
  pattern: string;
  parsed_fields: JsonObject | null;
  default_match: "contains" | "exact";
  regex_mode: "search" | "match";
}

/** Answers a batch of calls; answer i belongs to call i. The implementation decides what a failing atom means: a throw
 * ends the judgement, a recorded fault with `is_match: false` lets it continue. */
export type Matcher = (calls: MatchCall[]) => Promise<MatchResult[]>;
export type Exister = (items: ParsedItem[]) => Promise<ExistenceResult>;
