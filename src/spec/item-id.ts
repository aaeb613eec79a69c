// The id of an item; the only place where it is derived.
import { basename } from "node:path";
import { AtomsmithError } from "../core/errors.ts";

/** The id becomes a directory name, so it starts with a letter or digit and has only safe characters. */
const VALID_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The id in a file name (`X` in `X_ItemSpec.md`); undefined without one. */
export function idFromFileName(path: string): string | undefined {
  return /^(.+?)[_-]ItemSpec(?:\.(?:md|markdown|txt))?$/i.exec(basename(path))?.[1];
}

/** The id in a title: `ItemSpec: X`, or a title that is only an id with a digit. */
export function idFromTitle(title: string): string | undefined {
  const text = title.normalize("NFKC").trim();
  const named = /item\s*-?\s*spec(?:ification)?\s*[:：–—−-]?\s*(\S+)/iu.exec(text)?.[1];
  if (named !== undefined) return named;
  return /^[A-Za-z0-9._-]*\d[A-Za-z0-9._-]*$/.test(text) ? text : undefined;
}

/** The item id of a page, from its file name, otherwise from its H1. Throws kind `spec`. */
export function itemIdOf(path: string, h1?: string): string {
  const id = idFromFileName(path) ?? (h1 === undefined ? undefined : idFromTitle(h1));
  if (id === undefined) {
    throw new AtomsmithError("spec", "The page has no item id.", {
      where: path,
      hint: "Name the file <ID>_ItemSpec.md, or begin it with the line `# ItemSpec: <ID>`.",
    });
  }
  if (!VALID_ID.test(id)) {
    throw new AtomsmithError("spec", `"${id}" cannot be an item id.`, {
      where: path,
      hint: "An id starts with a letter or digit and has only A-Z a-z 0-9 . _ - (at most 128).",
    });
  }
  return id;
}
