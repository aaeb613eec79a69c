// ItemSpecs: parsing, linting, slicing.
export { readAnswers } from "./answers.ts";
export { codeSpans, readExactParts, withoutBlocks } from "./blocks.ts";
export { decodePage, MAX_PAGE_BYTES } from "./decode.ts";
export { numberOf, placedBlocks, textKey } from "./exact-findings.ts";
export type { ExampleRecord, ExampleText, WorkedExample } from "./example.ts";
export { fencedBlock, formatExample, formatExampleBlock, readExample } from "./example.ts";
export { readSpecFile } from "./file.ts";
export type { SpecFinding } from "./finding.ts";
export { itemIdOf } from "./item-id.ts";
export { lintItemSpec, parseItemSpec, type SpecReading } from "./parse.ts";
export { logicSlice, parsingSlice } from "./slices.ts";
export { type ItemSpec, SECTION_KEYS, type SectionKey } from "./types.ts";
