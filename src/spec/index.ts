// ItemSpecs: parsing, linting, slicing.
export { MAX_PAGE_BYTES } from "./decode.ts";
export { itemIdOf } from "./item-id.ts";
export { lintItemSpec, parseItemSpec, type SpecFinding, type SpecReading } from "./parse.ts";
export { logicSlice, parsingSlice } from "./slices.ts";
export type { ItemSpec, LogicSlice, ParsingSlice, SectionKey, SpecHeading, SpecSection } from "./types.ts";
