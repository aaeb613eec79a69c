// Parses the bytes of a page to an ItemSpec, or to the findings why it is unusable.
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { count } from "../core/words.ts";
import { findBlocks } from "./blocks.ts";
import { decodePage } from "./decode.ts";
import { blockFindings, type CheckReader, placedBlocks } from "./exact-findings.ts";
import type { SpecFinding } from "./finding.ts";
import { idFromFileName, idFromTitle, itemIdOf } from "./item-id.ts";
import { readOutline } from "./outline.ts";
import { findPlaceholders } from "./placeholders.ts";
import { findSections, type Sections } from "./sections.ts";
import { silenceFindings } from "./silence.ts";
import { SECTION_TITLES } from "./titles.ts";
import { type ItemSpec, SECTION_KEYS, type SectionKey, type SpecBlock, type SpecHeading } from "./types.ts";

export interface SpecReading {
  path: string;
  findings: SpecFinding[];
  /** Also present for an unusable page, if it has an id. */
  id?: string;
  /** Absent when there is an error among the findings. */
  spec?: ItemSpec;
  /** Headings found by the parser, also in an unusable page. */
  headings: SpecHeading[];
  placeholders: { text: string; line: number }[];
  blocks: SpecBlock[];
}

/** The sections that Agent A and Agent B read. Section 4.3 is optional, since no author reads it. */
const REQUIRED: SectionKey[] = ["1", "2", "3", "4.1", "4.2"];

/** For callers that need only the text of a page: check blocks are not validated. */
const UNREAD: CheckReader = () => [];

/** Parses a page completely. Never throws. */
export function readItemSpec(bytes: Uint8Array, path: string, readCheck = UNREAD): SpecReading {
  const decoded = decodePage(bytes);
  if (!decoded.ok) {
    const finding: SpecFinding = { severity: "error", code: "not_text", message: decoded.message };
    return { path, findings: [finding], headings: [], placeholders: [], blocks: [] };
  }
  const text = decoded.text;
  const outline = readOutline(text);
  const found = findSections(outline, text);
  const placeholders = findPlaceholders(outline.tree, text);
  const blocks = findBlocks(outline.tree).map((block): SpecBlock => {
    const inside = found.ranges.find(({ from, to }) => from <= block.line && block.line <= to);
    return { ...block, section: inside?.key ?? null };
  });
  const hasCheck = placedBlocks(blocks).some(({ kind }) => kind === "check");
  const h1 = outline.entries.find((entry) => entry.depth === 1 && entry.real)?.text;
  const findings: SpecFinding[] = [
    ...decoded.warnings,
    ...sectionFindings(found, text, hasCheck),
    ...placeholders.map(
      (p): SpecFinding => ({
        severity: "error",
        code: "placeholder",
        message: `Not filled in yet: ${p.text}`,
        line: p.line,
      }),
    ),
  ];
  if (outline.openFence !== undefined) {
    findings.push({
      severity: "warning",
      code: "open_fence",
      message: "This code fence is never closed: all text after it counts as code, headings too.",
      line: outline.openFence,
    });
  }
  findings.push(...blockFindings(blocks, outline.openFence, readCheck));
  findings.push(...silenceFindings(found.sections["2"], hasCheck));
  const id = readId(path, h1, findings);
  const seen = { path, findings, headings: found.headings, placeholders, blocks };
  const reading: SpecReading = id === undefined ? seen : { ...seen, id };
  if (id === undefined || findings.some((finding) => finding.severity === "error")) return reading;
  const warnings = findings.map((f) => (f.line === undefined ? f.message : `line ${f.line}: ${f.message}`));
  const { sections, headings } = found;
  return {
    ...reading,
    spec: { id, path, sha256: sha256(bytes), title: h1 ?? id, sections, blocks, headings, warnings },
  };
}

/** Parses a page. Throws AtomsmithError of kind `spec` that lists all problems of the page.
 * @param readCheck reader of check blocks (src/runtime/check-block.ts), passed by callers that run the page */
export function parseItemSpec(bytes: Uint8Array, path: string, readCheck?: CheckReader): ItemSpec {
  const reading = readItemSpec(bytes, path, readCheck);
  if (reading.spec !== undefined) return reading.spec;
  throw specError(reading);
}

/** Parses a page and returns all findings, errors first, then by line. Never throws. */
export function lintItemSpec(bytes: Uint8Array, path: string, readCheck?: CheckReader): SpecReading {
  const reading = readItemSpec(bytes, path, readCheck);
  const order = (f: SpecFinding) => (f.severity === "error" ? 0 : 1e9) + (f.line ?? 0);
  return { ...reading, findings: [...reading.findings].sort((a, b) => order(a) - order(b)) };
}

function specError(reading: SpecReading): AtomsmithError {
  const errors = reading.findings.filter((finding) => finding.severity === "error");
  const unfilled = reading.placeholders;
  const parts = errors
    .filter((finding) => finding.code !== "placeholder")
    .map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`));
  if (unfilled.length > 0) {
    const list = unfilled.slice(0, 20).map((place) => `line ${place.line}: ${place.text}`);
    const more = unfilled.length > list.length ? `; and ${unfilled.length - list.length} more` : "";
    parts.push(
      `The template is not filled in (${count(unfilled.length, "place")}): ${list.join("; ")}${more}`,
    );
  }
  if (errors.some((finding) => finding.code === "missing_section")) {
    const seen = reading.headings.map((heading) => `line ${heading.line}: ${heading.text}`);
    parts.push(seen.length === 0 ? "No heading was found." : `Headings found: ${seen.join("; ")}.`);
  }
  return new AtomsmithError("spec", parts.join(" "), {
    where: reading.path,
    hint: "`atomsmith spec lint` shows what the parser sees.",
  });
}

function readId(path: string, h1: string | undefined, findings: SpecFinding[]): string | undefined {
  try {
    const id = itemIdOf(path, h1);
    const titled = h1 === undefined ? undefined : idFromTitle(h1);
    if (idFromFileName(path) !== undefined && titled !== undefined && titled !== id) {
      const message = `The title names "${titled}", the file name "${id}"; the file name counts.`;
      findings.push({ severity: "warning", code: "id_differs", message });
    }
    return id;
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    const hint = error.details.hint ?? "";
    findings.push({ severity: "error", code: "item_id", message: `${error.message} ${hint}`.trim() });
    return undefined;
  }
}

/** @param hasCheck with a check block, section 4.2 is left empty on purpose */
function sectionFindings(found: Sections, text: string, hasCheck: boolean): SpecFinding[] {
  const findings: SpecFinding[] = [];
  if (text.trim() === "") {
    return [{ severity: "error", code: "empty_page", message: "The page is empty." }];
  }
  for (const { key, lines } of found.duplicates) {
    findings.push({
      severity: "error",
      code: "duplicate_section",
      message: `Section ${key} (${SECTION_TITLES[key]}) occurs more than once, in lines ${lines.join(" and ")}.`,
      line: lines[1] ?? lines[0] ?? 1,
    });
  }
  for (const key of SECTION_KEYS) {
    const section = found.sections[key];
    if (section === undefined) {
      const required = REQUIRED.includes(key);
      findings.push({
        severity: required ? "error" : "warning",
        code: "missing_section",
        message: `Section ${key} (${SECTION_TITLES[key]}) is missing.`,
      });
    } else if (section.text === "" && key !== "4.3" && !(key === "4.2" && hasCheck)) {
      findings.push({
        severity: key === "1" || key === "2" ? "error" : "warning",
        code: "empty_section",
        message: `Section ${key} (${section.heading}) is empty.`,
        line: section.line,
      });
    }
  }
  for (const entry of found.outside) {
    findings.push({
      severity: "warning",
      code: "outside",
      message: `"${entry.text}" belongs to no section; no author sees it.`,
      line: entry.line,
    });
  }
  return findings;
}
