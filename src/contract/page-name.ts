// The naming convention of pages, by which folders are searched for them and logs are told from them.
const PAGE_NAME = /[_-]ItemSpec\.(?:md|markdown)$/i;

/** Whether a path has the name of a page, `<ID>_ItemSpec.md`. */
export function hasPageName(path: string): boolean {
  return PAGE_NAME.test(path);
}
