// Turns each failed item of a check into a work order for `factory run`. An order allows only files that the check
// names and the repository contains; without any, the user must fill in the order before running it.
import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { truncate } from "../core/limits.ts";
import { createRedactor } from "../core/redact/index.ts";
import { pathProblem, placeOf } from "../loops/factory/paths.ts";
import { MAX_CONTEXT_FILES, type WorkOrder } from "../loops/factory/schemas.ts";
import { headline, openViolations, type ReportItem, type ReportRun } from "../report/index.ts";
import { writeFileAtomic } from "../store/index.ts";

const SHOWN_VIOLATIONS = 50;
const SHOWN_BYTES = 500;

/** Writes `DIR/ITEM.json` for every failed item. Returns the paths.
 * @param repo absolute path of a folder in a git work tree */
export async function writeWorkOrders(run: ReportRun, dir: string, repo: string): Promise<string[]> {
  const root = workTreeOf(repo);
  const mask = createRedactor({ shapes: true, known: [] });
  const failed = run.items.filter(({ result }) => result.outcome === "fail");
  const paths = failed.map(({ result }) => join(dir, `${result.item_id}.json`));
  for (const [index, item] of failed.entries()) {
    const text = `${JSON.stringify(orderOf(item, run, root), null, 2)}\n`;
    await writeFileAtomic(paths[index] ?? "", mask(text));
  }
  return paths;
}

function orderOf(item: ReportItem, run: ReportRun, root: string | null): WorkOrder {
  const { result, config } = item;
  const violations = result.result === null ? [] : openViolations(result.result, config);
  const listed = violations
    .slice(0, SHOWN_VIOLATIONS)
    .map(({ value, expected, description, matched_content }) => {
      const about = value ?? expected ?? description;
      const line = matched_content === "" ? "" : `: ${matched_content}`;
      return truncate(`- ${about}${line}`, SHOWN_BYTES).text;
    });
  const texts = [
    ...violations.flatMap(({ value, expected, parsed_fields }) => [
      value,
      expected,
      ...stringsIn(parsed_fields),
    ]),
    ...(config?.requirements.pattern_items ?? []),
  ];
  const files = root === null ? [] : filesNamed(texts, root);
  const more = violations.length > listed.length ? [`- and ${violations.length - listed.length} more`] : [];
  return {
    id: result.item_id,
    title: `Fix ${result.item_id}`,
    intent: [
      headline(item, run.search_root),
      ...(config?.description ? [config.description] : []),
      "Violations:",
      ...listed,
      ...more,
    ].join("\n"),
    allowed_files: files,
    forbidden: [],
    acceptance_commands: [command(["atomsmith", "check", item.dir, "--search-root", run.search_root])],
    context_files: files.slice(0, MAX_CONTEXT_FILES),
    notes:
      files.length === 0
        ? "The check names no file of the repository. Fill in allowed_files and context_files before running this order."
        : "The files are those that the check names. The acceptance command reads existing logs; create new ones in the verification command.",
  };
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Texts that name a file of the repository, with or without a line number. */
function filesNamed(texts: readonly (string | undefined)[], root: string): string[] {
  const named = new Set<string>();
  for (const text of texts) {
    const name = text?.trim().replace(/:\d+(?::\d+)?$/, "") ?? "";
    const path = isAbsolute(name) ? relative(root, name) : name.replace(/^\.\//, "");
    if (pathProblem(path) !== undefined) continue;
    const place = placeOf(root, path);
    if (place.ok && place.exists) named.add(path);
  }
  return [...named].sort();
}

/** The root of the git work tree that contains a folder. */
function workTreeOf(folder: string): string | null {
  let current = realpathSync(folder);
  while (!existsSync(join(current, ".git"))) {
    if (dirname(current) === current) return null;
    current = dirname(current);
  }
  return current;
}

/** Quotes words so that `factory` splits the command into the same words. */
function command(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`))
    .join(" ");
}
