// `spec lint`: checks ItemSpecs, and finds the texts of their examples in the logs.
import { statSync } from "node:fs";
import { hasPageName } from "../../../contract/page-name.ts";
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { count } from "../../../core/words.ts";
import { allFiles } from "../../../files/all-files.ts";
import { checkProblems } from "../../../runtime/check-block.ts";
import {
  codeSpans,
  lintItemSpec,
  readSpecFile,
  SECTION_KEYS,
  type SpecFinding,
  type SpecReading,
} from "../../../spec/index.ts";
import { type FoundTexts, findTexts, type TextPlace } from "../../../tools/find-texts.ts";
import { defineCommand } from "../../command.ts";
import type { CommandContext } from "../../context.ts";
import { pageOrPath } from "../../item-target.ts";
import { authorsOf, checkAdvice, type PageAuthors } from "../../spec-advice.ts";
import { shownBlocks } from "../../spec-blocks.ts";
import type { Style } from "../../style.ts";

/** Limits of the search for the texts of examples. */
const SEARCH_LIMITS = { files: 5_000, bytes: 1024 * 2 ** 20, ms: 60_000 };

interface LintedPage {
  path: string;
  item_id: string | null;
  ok: boolean;
  findings: SpecFinding[];
  sections: { key: string; heading: string; line: number; characters: number }[];
  /** The worked examples in effect. `counterpart`: where the text occurs in a log; null: nowhere below the search
   * root; absent without a search root. */
  examples: { line: number; records: number; counterpart?: TextPlace | null }[];
  /** Authors that can write its atoms. */
  authors: PageAuthors;
}

/** A page with the texts to search for in the logs. */
interface Linted {
  page: LintedPage;
  texts: string[];
  globs: string[];
}

/** Pages named on the command line; a folder means all ItemSpecs below it. */
function pagesOf(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const { paths } = allFiles(path, {
    skip: ({ name, kind }) => kind !== "folder" && !hasPageName(name),
  });
  return paths;
}

function lintPage(path: string): Linted {
  let reading: SpecReading;
  try {
    reading = lintItemSpec(readSpecFile(path), path, checkProblems);
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    const finding: SpecFinding = { severity: "error", code: "unreadable", message: error.message };
    const page = {
      path,
      item_id: null,
      ok: false,
      findings: [finding],
      sections: [],
      examples: [],
      authors: authorsOf(undefined),
    };
    return { page, texts: [], globs: [] };
  }
  const { spec, findings } = reading;
  const sections = SECTION_KEYS.flatMap((key) => {
    const section = spec?.sections[key];
    if (section === undefined) return [];
    return [{ key, heading: section.heading, line: section.line, characters: section.text.length }];
  });
  const { examples } = shownBlocks(reading.blocks);
  return {
    page: {
      path,
      item_id: reading.id ?? null,
      ok: spec !== undefined,
      findings: [...findings, ...(spec === undefined ? [] : checkAdvice(spec))],
      sections,
      authors: authorsOf(spec),
      examples: examples.map(({ line, records }) => ({ line, records: records.length })),
    },
    texts: examples.map(({ text }) => text),
    globs: codeSpans(spec?.sections["4.1"]?.text ?? "").filter((span) => /^\S+$/.test(span)),
  };
}

/** Searches for the examples of all pages in one pass and records where each occurs. */
async function addCounterparts(
  all: readonly Linted[],
  searchRoot: string,
  context: CommandContext,
): Promise<FoundTexts> {
  // Pages, reports and checkpoints contain copies of examples and are not logs.
  const paths = await context.loadConfig().then(
    ({ config }) => config.paths,
    () => undefined,
  );
  const own = paths === undefined ? [] : [paths.output_dir, paths.cache_dir];
  const found = await findTexts(
    all.flatMap(({ texts }) => texts),
    {
      searchRoot,
      hidden: [...own, ...context.ownFiles, ...all.map(({ page }) => page.path)].filter(
        (path) => !`${searchRoot}/`.startsWith(`${path}/`),
      ),
      first: all.flatMap(({ globs }) => globs),
      variables: paths?.variables ?? {},
      limits: SEARCH_LIMITS,
      signal: context.signal,
    },
  );
  let index = 0;
  for (const { page } of all) {
    for (const example of page.examples) example.counterpart = found.places[index++] ?? null;
  }
  return found;
}

function searchedText(found: FoundTexts, searchRoot: string): string {
  const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;
  const limits = {
    files: `more than ${SEARCH_LIMITS.files} files are not searched`,
    bytes: `more than ${mib(SEARCH_LIMITS.bytes)} are not searched`,
    time: `the search stopped after ${SEARCH_LIMITS.ms / 1000} s`,
  };
  const limit = found.stopped === null ? "" : `; ${limits[found.stopped]}`;
  return `Searched ${count(found.files, "file")} (${mib(found.bytes)}) below ${searchRoot}${limit}.`;
}

/** Reports pages with the same id: they would overwrite each other's atoms. */
function reportDuplicateIds(pages: LintedPage[]): void {
  for (const page of pages) {
    const others = pages.filter(
      (other) => other !== page && other.item_id === page.item_id && page.item_id !== null,
    );
    if (others.length === 0) continue;
    const message = `Item id ${page.item_id} is also used by ${others.map((other) => other.path).join(", ")}.`;
    page.findings.unshift({ severity: "error", code: "double_id", message });
  }
  for (const page of pages) page.ok &&= !page.findings.some((finding) => finding.severity === "error");
}

function lintText(
  { path, item_id, ok, findings, sections, examples, authors }: LintedPage,
  style: Style,
): string {
  const verdict = ok ? style.green("ok") : style.red("unusable");
  const seen = ok ? ` ${style.dim(`sections ${sections.map((section) => section.key).join(" ")}`)}` : "";
  const lines = findings.map((finding) => {
    const at = finding.line === undefined ? "" : `:${finding.line}`;
    const severity = finding.severity === "error" ? style.red("error") : style.yellow("warning");
    return `  ${severity}${at} ${finding.message}`;
  });
  const counterparts = examples.flatMap(({ line, counterpart }) => {
    if (counterpart === undefined) return [];
    if (counterpart === null) return [`  example:${line} was not found in the logs`];
    return [`  example:${line} found in ${counterpart.file}:${counterpart.line}`];
  });
  const head = `${path}: ${item_id ?? "no id"} ${verdict}${seen}`;
  return [head, ...lines, ...counterparts, ...(ok ? authorLines(authors) : [])].join("\n");
}

function authorLines({ offline, missing }: PageAuthors): string[] {
  if (offline) return ["  author: offline or any model"];
  return [`  author: a model; not the offline author, because ${missing.join("; ")}`];
}

export const lintCommand = defineCommand({
  name: "lint",
  summary: "check the sections, placeholders, ids and blocks of ItemSpecs",
  details:
    "With --search-root, also reports where the text of each worked example occurs in a log. An example does not " +
    "have to occur in one: this is only information. Files that section 4.1 names in backticks are searched " +
    `first; at most ${SEARCH_LIMITS.files} files, ${SEARCH_LIMITS.bytes / 2 ** 20} MiB and ${SEARCH_LIMITS.ms / 1000} s.`,
  config: false,
  args: {
    file: {
      type: "positional",
      valueHint: "FILE",
      required: true,
      multiple: true,
      description: "ItemSpecs, or folders of them",
    },
    "search-root": {
      type: "string",
      valueHint: "DIR",
      description: "folder of the logs to search for the examples",
    },
  },
  exits: { 2: "at least one page is unusable" },
  examples: [
    { command: "atomsmith spec lint item_specs", does: "check all pages of a folder" },
    {
      command: "atomsmith spec lint IMP-10_ItemSpec.md --search-root runs/latest",
      does: "also show where its examples occur in the logs",
    },
  ],
  run: async (args, context) => {
    const named = await Promise.all(args.file.map((word) => pageOrPath(word, context)));
    const paths = [...new Set(named.flatMap(pagesOf))];
    if (paths.length === 0) throw new AtomsmithError("usage", "no ItemSpec found in these folders");
    const all = paths.map(lintPage);
    const pages = all.map(({ page }) => page);
    reportDuplicateIds(pages);
    const root = args["search-root"];
    const searchRoot = root === undefined ? undefined : context.resolve(root);
    const found = searchRoot === undefined ? undefined : await addCounterparts(all, searchRoot, context);
    const searched =
      found && searchRoot
        ? { root: searchRoot, files: found.files, bytes: found.bytes, stopped: found.stopped }
        : undefined;
    context.output.result({ pages, ...(searched ? { searched } : {}) }, (style) =>
      pages.map((page) => lintText(page, style)).join("\n"),
    );
    if (found && searchRoot) context.output.note(searchedText(found, searchRoot));
    return pages.every((page) => page.ok) ? EXIT.ok : EXIT.usage;
  },
});
