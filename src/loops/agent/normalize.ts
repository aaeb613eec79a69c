// Removes what differs between requests of two runs of the same job, times and commit hashes, from the keys of
// recorded replies.

/** Replaces times, timestamps in file names, and hashes. */
export function normalizeJob(text: string): string {
  return text
    .replace(/\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, "<time>")
    .replace(/\b\d{8}_\d{6}\b/g, "<stamp>")
    .replace(/_\d{8}_\d{6}(?=\.md)/g, "_<stamp>")
    .replace(/\| \d{2}:\d{2} \|/g, "| <time> |")
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, "<hash>");
}
