// Conditions that a page must meet before a validator sees it: no lint errors, a check block, a worked example that
// occurs in the logs, and verified citations.
import { sha256 } from "../../../../core/hash.ts";
import type { Citation } from "../../../../documents/citations.ts";
import { checkProblems } from "../../../../runtime/check-block.ts";
import {
  codeSpans,
  lintItemSpec,
  logicSlice,
  parsingSlice,
  type SpecReading,
} from "../../../../spec/index.ts";
import { findTexts, type TextPlace } from "../../../../tools/find-texts.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Cited, citedIn } from "./cited.ts";

/** Limits of the search for the texts of examples. */
const SEARCH_LIMITS = { files: 5_000, bytes: 512 * 2 ** 20, ms: 30_000 };

export interface Page {
  path: string;
  text: string;
  sha256: string;
  reading: SpecReading;
}

export interface LogPlaces {
  /** Absolute; empty for a job without logs. */
  searchRoot: string;
  /** Absolute paths of folders without logs. */
  hidden: readonly string[];
  variables: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** The findings of the program about a page. */
export interface LookedAt {
  page: Page;
  /** Worked examples with their places in the logs; null: not found. */
  examples: { text: string; place: TextPlace | null }[];
  /** Why the search ended before all logs were read. */
  stopped: string | null;
  hasCheck: boolean;
  cited: Cited[];
}

export function readPage(path: string, text: string): Page {
  const bytes = Buffer.from(text);
  return { path, text, sha256: sha256(bytes), reading: lintItemSpec(bytes, path, checkProblems) };
}

/** Examines a page.
 * @param creator citations and folder of the job that wrote it */
export async function lookAt(
  page: Page,
  creator: { citations: readonly Citation[]; workspace: Workspace },
  logs: LogPlaces,
): Promise<LookedAt> {
  const { spec } = page.reading;
  const cited = citedIn(page.text, creator.citations, creator.workspace);
  if (spec === undefined) return { page, examples: [], stopped: null, hasCheck: false, cited };
  const texts = parsingSlice(spec).examples.map(({ text }) => text);
  const found =
    texts.length === 0 || logs.searchRoot === ""
      ? undefined
      : await findTexts(texts, {
          searchRoot: logs.searchRoot,
          hidden: logs.hidden.filter((path) => !`${logs.searchRoot}/`.startsWith(`${path}/`)),
          first: codeSpans(spec.sections["4.1"]?.text ?? "").filter((span) => /^\S+$/.test(span)),
          variables: logs.variables,
          limits: SEARCH_LIMITS,
          signal: logs.signal,
        });
  return {
    page,
    examples: texts.map((text, at) => ({ text, place: found?.places[at] ?? null })),
    stopped: found?.stopped ?? null,
    hasCheck: logicSlice(spec).check !== null,
    cited,
  };
}

/** Why the page cannot be handed over; empty when it can. */
export function pageFaults({ page, examples, hasCheck, cited, stopped }: LookedAt): string[] {
  const errors = page.reading.findings.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map((finding) => findingLine(page.path, finding));
  const faults: string[] = [];
  if (!hasCheck) faults.push("There is no check block in section 2 or 3.");
  if (!examples.some(({ place }) => place !== null)) {
    const limit = stopped === null ? "" : " (not all logs were searched)";
    faults.push(
      examples.length === 0
        ? "There is no worked example in section 1."
        : `No worked example occurs in a log below the search root${limit}: copy its lines from a real log.`,
    );
  }
  if (cited.length === 0) faults.push("There is no citation: every page must cite its document.");
  for (const { id, fault } of cited) if (fault !== undefined) faults.push(`[${id}] is invalid: ${fault}.`);
  return faults;
}

export function findingLine(path: string, finding: SpecReading["findings"][number]): string {
  const line = finding.line === undefined ? "" : `:${finding.line}`;
  return `${path}${line} ${finding.severity} ${finding.code}: ${finding.message}`;
}
