// The one reader of logs: all code that reads a log uses it.
export { type FactsResult, inspectText, type TextBlock, type TextFacts, textBlocks } from "./blocks.ts";
export { readBytes } from "./bytes.ts";
export { sniffBom, sniffCompression } from "./format.ts";
export { keywordMatcher } from "./keyword-matcher.ts";
export { LineIndexes } from "./line-index.ts";
export { type LinesRead, readLines } from "./lines.ts";
export { type FileIdentity, type MayRead, openLog } from "./open.ts";
export { type OpenedParts, openParts, type PartsResult, type TextPart } from "./parts.ts";
export { type LogRange, planRanges } from "./ranges.ts";
export { MAX_REGEX_LINE, regexMatcher, regexTest } from "./regex-matcher.ts";
export { requiredLiteral } from "./required-literal.ts";
export { type Matcher, type SearchHit, type SearchRead, searchText } from "./search.ts";
export type { ByteRange } from "./source.ts";
export { decodeWhole, readText } from "./text.ts";
