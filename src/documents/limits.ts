// Limits of reading a document. Each has its own sentence when it is reached.

/** Bytes of the file itself. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;
/** Characters of text of one document. */
export const MAX_TEXT_CHARS = 20_000_000;
/** Bytes of all parts of an office file together, decompressed; pictures and media are not counted: they are left
 * out before. */
export const MAX_UNZIPPED_BYTES = 256 * 2 ** 20;
export const MAX_ZIP_ENTRIES = 20_000;
export const MAX_PAGES = 10_000;
/** Elements of XML or HTML inside one another. The libraries walk by recursion, and take minutes beyond. */
export const MAX_DEPTH = 500;

/** Wall clock of the parser process. */
export const PARSE_MS = 120_000;
/** Memory of the parser process that is not shared with a file. */
export const PARSE_MEMORY_MB = 1536;
/** Address space that the parser process may take after its start: ends one huge allocation at once, where the memory
 * is looked at from time to time. */
export const PARSE_ROOM_BYTES = 2 * 2 ** 30;
/** Bytes of the answer: the text in JSON takes at most this. */
export const MAX_ANSWER_BYTES = 160 * 2 ** 20;
