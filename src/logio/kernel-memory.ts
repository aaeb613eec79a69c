// Memory layout of the kernel, for its code and its callers.

/** Bytes compared per candidate: two are faster, three give fewer false positives. */
export type Fingerprint = 2 | 3;
export const BUCKETS = 8;

const PAGE = 65_536;
/** Address of the position where `find` stopped, of the tables, and of the scratch block. */
export const STOP_AT = 0;
export const TABLES_AT = 16;
export const SCRATCH_AT = 192;
/** Candidates: pairs of 32-bit position and bucket mask. */
export const CANDIDATES_AT = 256;
export const CANDIDATES_END = PAGE - 256;
/** The bit that differs between lower-case and upper-case ASCII letters. */
export const CASE_BIT = 0x20;
/** Space for text: the rest of the previous piece, and a piece. */
export const DATA_AT = PAGE;
export const DATA_BYTES = 12 * PAGE;
/** One more page: whole blocks are read, so a few bytes after the text are read and ignored. */
export const PAGES = 1 + 12 + 1;

/** Up to this many keywords are compared directly. */
export const FEW = 3;
