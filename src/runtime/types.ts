// Ports of the runtime that gates, pipeline and commands use.
import type { ExistenceResult, MatchResult, ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { JsonObject } from "../core/json.ts";
import type { TextReading } from "../logio/text.ts";

/** Reads inputs for L1. One reader is shared by all items of a run, so that a log is read once. */
export interface TextReader {
  read(path: string): Promise<TextReading>;
}

/** What shows whether a text is whole. */
export interface InputEnd {
  /** Nothing but blanks. */
  blank: boolean;
  /** It has a witness. */
  witness: boolean;
  /** Its last line has no end and is that of a record. */
  torn: boolean;
}

/** An input, not what it refers to, that was read to its end. */
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

/** What Atom A made of one file. */
export interface FileExtraction {
  /** Absolute path, links resolved. */
  path: string;
  /** Was it read to its end? Only then does it count among the searched files. */
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

/** Answers many calls at once, answer i belonging to call i. Whoever passes it in decides what a failing atom
 * means: a throw ends the judgement, a recorded fault and `is_match: false` lets it continue. */
export type Matcher = (calls: MatchCall[]) => Promise<MatchResult[]>;
export type Exister = (items: ParsedItem[]) => Promise<ExistenceResult>;
