// The one reader of log bytes: everything of the program that looks into a log goes through here.
export { type FactsResult, inspectText, type TextBlock, type TextFacts, textBlocks } from "./blocks.ts";
export { readBytes } from "./bytes.ts";
export { sniffBom, sniffCompression } from "./format.ts";
export type { BlockBorder } from "./gzip.ts";
export { keywordMatcher } from "./keyword-matcher.ts";
export { LineIndexes } from "./line-index.ts";
export { type LineRequest, type LinesRead, type LinesResult, readLines } from "./lines.ts";
export { type FileIdentity, identify, sameFile } from "./open.ts";
export { type RegexMatcherResult, regexMatcher } from "./regex-matcher.ts";
export { type Matcher, type SearchHit, type SearchRead, type SearchResult, searchText } from "./search.ts";
export { BOMB_LIMITS, type BombLimits, openSource } from "./source.ts";
export { decodeAs, decodeWhole, type ReadTextOptions, readText } from "./text.ts";
export { TextBytes } from "./textbytes.ts";
export { Turns } from "./turn.ts";
