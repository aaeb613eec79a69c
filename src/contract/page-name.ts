// The naming convention of pages, for finding them in directories and for excluding them from logs.
const PAGE_NAME = /[_-]ItemSpec\.(?:md|markdown)$/i;

/** Whether a path has the name of a page, `<ID>_ItemSpec.md`. */
export function hasPageName(path: string): boolean {
  return PAGE_NAME.test(path);
}
