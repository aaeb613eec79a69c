// Finds similar pages: BM25 over ids, titles and sections selects candidates, and exact matches are reported as
// facts. The model decides whether two pages are the same requirement.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import MiniSearch from "minisearch";
import { hasPageName } from "../../../../contract/page-name.ts";
import { codeSpans, type ItemSpec, logicSlice, parsingSlice, withoutBlocks } from "../../../../spec/index.ts";
import type { Submission } from "../../jobs/submissions.ts";
import { readPage } from "./page.ts";

const MAX_PAGES = 5_000;
const MAX_BYTES = 2 ** 20;
const MAX_QUERY = 4_000;

export interface KnownPage {
  /** Item id, and location of the page. */
  id: string;
  place: string;
  text: string;
}

export interface Similar {
  id: string;
  place: string;
  title: string;
  /** Facts that are the same in both. */
  same: string[];
}

/** Pages of the project, then those that were submitted and are not rejected. */
export function knownPages(
  folder: string,
  submissions: readonly Submission[],
): { pages: KnownPage[]; more: boolean } {
  const names = filesOf(folder).filter(hasPageName);
  const stored = names.slice(0, MAX_PAGES).flatMap((name): KnownPage[] => {
    const path = join(folder, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isFile() !== true || info.size > MAX_BYTES) return [];
    return [{ id: "", place: `items/${basename(name)}`, text: readFileSync(path, "utf8") }];
  });
  const handed = submissions
    .filter(({ status }) => status === "submitted" || status === "taken")
    .map((one): KnownPage => ({ id: one.item_id, place: `submission ${one.id}`, text: one.page }));
  return { pages: [...stored, ...handed], more: names.length > MAX_PAGES };
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** The pages most similar to a text, best first, without an identical page.
 * @param own the page as it was parsed, for the facts */
export function similarPages(
  text: string,
  own: ItemSpec | undefined,
  pages: readonly KnownPage[],
  limit: number,
): Similar[] {
  const others = pages
    .filter((page) => page.text !== text)
    .map((page, at) => ({ at, ...page, spec: readPage(page.place, page.text).reading.spec }));
  const index = new MiniSearch<{ id: number; title: string; words: string }>({ fields: ["title", "words"] });
  index.addAll(
    others.map(({ at, spec, text: whole }) => ({
      id: at,
      title: spec?.title ?? "",
      words: withoutBlocks(whole),
    })),
  );
  const hits = index.search(withoutBlocks(text).slice(0, MAX_QUERY), {
    combineWith: "OR",
    boost: { title: 2 },
  });
  return hits.slice(0, limit).flatMap(({ id }): Similar[] => {
    const page = others[id as number];
    if (page === undefined) return [];
    const { spec } = page;
    return [
      { id: spec?.id ?? page.id, place: page.place, title: spec?.title ?? "", same: sameFacts(own, spec) },
    ];
  });
}

function sameFacts(own: ItemSpec | undefined, other: ItemSpec | undefined): string[] {
  if (own === undefined || other === undefined) return [];
  const shared = (a: readonly string[], b: readonly string[]): boolean => a.some((text) => b.includes(text));
  const logs = (spec: ItemSpec): string[] => codeSpans(spec.sections["4.1"]?.text ?? "");
  const examples = (spec: ItemSpec): string[] => parsingSlice(spec).examples.map(({ text }) => text);
  const check = (spec: ItemSpec): string | null => logicSlice(spec).check;
  return [
    ...(own.id === other.id ? ["id"] : []),
    ...(shared(logs(own), logs(other)) ? ["a log in 4.1"] : []),
    ...(shared(examples(own), examples(other)) ? ["a worked example"] : []),
    ...(check(own) !== null && check(own) === check(other) ? ["the check block"] : []),
  ];
}
