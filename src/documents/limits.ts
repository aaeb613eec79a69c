// Limits of reading a document. Each has its own error message.

/** Maximum size of the file. */
export const MAX_FILE_BYTES = 256 * 2 ** 20;
/** Maximum characters of text of one document. */
export const MAX_TEXT_CHARS = 20_000_000;
/** Maximum decompressed size of all members of an office file, without pictures and media, which are not decompressed. */
export const MAX_UNZIPPED_BYTES = 256 * 2 ** 20;
export const MAX_ZIP_ENTRIES = 20_000;
export const MAX_PAGES = 10_000;
/** Maximum nesting of XML or HTML elements. The libraries are recursive and take minutes beyond it. */
export const MAX_DEPTH = 500;

/** Maximum time of the parser process. */
export const PARSE_MS = 120_000;
/** Maximum memory of the parser process that is not file-backed. */
export const PARSE_MEMORY_MB = 1536;
/** Maximum address space of the parser process beyond that at its start: stops a single huge allocation, which the
 * periodic memory check would miss. */
export const PARSE_ROOM_BYTES = 2 * 2 ** 30;
/** Maximum size of the answer, the text as JSON. */
export const MAX_ANSWER_BYTES = 160 * 2 ** 20;
