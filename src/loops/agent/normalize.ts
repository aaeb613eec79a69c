// What differs in the requests of two runs of the same job: times and commit hashes. They are removed from the keys of
// recorded replies.

/** A text without times of day, stamps in names of files and hashes. */
export function normalizeJob(text: string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>")
    .replace(/\b\d{8}_\d{6}\b/g, "<stamp>")
    .replace(/_\d{8}_\d{6}(?=\.md)/g, "_<stamp>")
    .replace(/\| \d{2}:\d{2} \|/g, "| <time> |")
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, "<hash>");
}
