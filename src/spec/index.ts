// ItemSpecs: parsing, linting, slicing.
export { MAX_PAGE_BYTES } from "./decode.ts";
export { loadItemSpec, readSpecFile } from "./file.ts";
export { itemIdOf } from "./item-id.ts";
export { lintItemSpec, parseItemSpec, type SpecFinding, type SpecReading } from "./parse.ts";
export { logicSlice, parsingSlice } from "./slices.ts";
export { type ItemSpec, SECTION_KEYS, type SectionKey } from "./types.ts";
