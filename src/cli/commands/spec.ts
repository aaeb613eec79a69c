// `spec lint` and `spec show`: what the parser sees of ItemSpecs, and what is wrong with them.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import {
  lintItemSpec,
  readSpecFile,
  SECTION_KEYS,
  type SpecFinding,
  type SpecReading,
} from "../../spec/index.ts";
import { type CommandGroup, defineCommand } from "../command.ts";

interface LintedPage {
  path: string;
  item_id: string | null;
  ok: boolean;
  findings: SpecFinding[];
  sections: { key: string; heading: string; line: number; characters: number }[];
}

/** Pages named on the command line; a folder stands for the ItemSpecs below it. */
function pagesOf(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[_-]ItemSpec\.(md|markdown)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function lintPage(path: string): LintedPage {
  let reading: SpecReading;
  try {
    reading = lintItemSpec(readSpecFile(path), path);
  } catch (error) {
    if (!(error instanceof AtomsmithError)) throw error;
    const finding: SpecFinding = { severity: "error", code: "unreadable", message: error.message };
    return { path, item_id: null, ok: false, findings: [finding], sections: [] };
  }
  const { spec } = reading;
  const sections = SECTION_KEYS.flatMap((key) => {
    const section = spec?.sections[key];
    if (section === undefined) return [];
    return [{ key, heading: section.heading, line: section.line, characters: section.text.length }];
  });
  return { path, item_id: reading.id ?? null, ok: spec !== undefined, findings: reading.findings, sections };
}

/** Two pages with one id would overwrite each other's atoms. */
function addDoubleIds(pages: LintedPage[]): void {
  for (const page of pages) {
    const others = pages.filter(
      (other) => other !== page && other.item_id === page.item_id && page.item_id !== null,
    );
    if (others.length === 0) continue;
    const message = `Item id ${page.item_id} is also that of ${others.map((other) => other.path).join(", ")}.`;
    page.findings.unshift({ severity: "error", code: "double_id", message });
  }
  for (const page of pages) page.ok &&= !page.findings.some((finding) => finding.severity === "error");
}

const lintCommand = defineCommand({
  name: "lint",
  summary: "check ItemSpecs: sections, placeholders, ids",
  config: false,
  args: {
    file: {
      type: "positional",
      valueHint: "FILE",
      required: true,
      multiple: true,
      description: "ItemSpec, or a folder of them",
    },
  },
  exits: { 2: "at least one page is unusable" },
  examples: [{ command: "atomsmith spec lint item_specs", does: "all pages of a folder" }],
  run: async (args, context) => {
    const paths = [...new Set(args.file.flatMap((path) => pagesOf(context.resolve(path))))];
    if (paths.length === 0) throw new AtomsmithError("usage", "There is no ItemSpec in these folders.");
    const pages = paths.map(lintPage);
    addDoubleIds(pages);
    context.output.result({ pages }, (style) =>
      pages
        .map(({ path, item_id, ok, findings, sections }) => {
          const verdict = ok ? style.green("ok") : style.red("unusable");
          const seen = ok
            ? ` ${style.dim(`sections ${sections.map((section) => section.key).join(" ")}`)}`
            : "";
          const lines = findings.map((finding) => {
            const at = finding.line === undefined ? "" : `:${finding.line}`;
            const severity = finding.severity === "error" ? style.red("error") : style.yellow("warning");
            return `  ${severity}${at} ${finding.message}`;
          });
          return [`${path}: ${item_id ?? "no id"} ${verdict}${seen}`, ...lines].join("\n");
        })
        .join("\n"),
    );
    return pages.every((page) => page.ok) ? EXIT.ok : EXIT.usage;
  },
});

const showCommand = defineCommand({
  name: "show",
  summary: "print what the parser sees of an ItemSpec",
  config: false,
  args: {
    file: { type: "positional", valueHint: "FILE", required: true, description: "ItemSpec" },
    section: {
      type: "enum",
      options: SECTION_KEYS,
      description: "only the text of this section",
    },
  },
  exits: { 2: "the page is unusable" },
  examples: [
    {
      command: "atomsmith spec show IMP-10_ItemSpec.md --section 4.1",
      does: "what Agent A sees beside section 1",
    },
  ],
  run: async (args, context) => {
    const path = context.resolve(args.file);
    const reading = lintItemSpec(readSpecFile(path), path);
    const key = args.section;
    const section = key === undefined ? undefined : reading.spec?.sections[key];
    if (key !== undefined && section === undefined) {
      const why = reading.findings.find((finding) => finding.severity === "error")?.message ?? "";
      throw new AtomsmithError("spec", `Section ${key} cannot be shown. ${why}`.trim(), {
        where: path,
        hint: "`atomsmith spec lint` lists all that is wrong.",
      });
    }
    if (section !== undefined) {
      context.output.result({ path, item_id: reading.spec?.id ?? null, ...section }, () => section.text);
      return EXIT.ok;
    }
    const { headings, findings, spec } = reading;
    context.output.result(
      { path, item_id: spec?.id ?? null, headings, sections: spec?.sections ?? null, findings },
      (style) =>
        headings
          .map((heading) => {
            const seen = heading.key === undefined ? style.dim("  -") : style.green(heading.key.padStart(3));
            return `${String(heading.line).padStart(5)} ${seen} ${"  ".repeat(heading.depth - 1)}${heading.text}`;
          })
          .join("\n"),
    );
    for (const finding of findings) context.output.note(`${finding.severity}: ${finding.message}`);
    return spec === undefined ? EXIT.usage : EXIT.ok;
  },
});

export const specGroup: CommandGroup = {
  kind: "group",
  name: "spec",
  summary: "lint and show ItemSpecs",
  details: "What the parser sees of a page; a page with an error is never run.",
  commands: [
    { name: "lint", summary: lintCommand.summary, load: async () => lintCommand },
    { name: "show", summary: showCommand.summary, load: async () => showCommand },
  ],
};
