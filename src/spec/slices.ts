// What each author may see of a page, and nothing else. Isolation is decided here. Contract, section 1.
import type { ItemSpec, LogicSlice, ParsingSlice, SectionKey } from "./types.ts";

/** Sections 1 and 4.1, for Agent A. */
export function parsingSlice(spec: ItemSpec): ParsingSlice {
  return { item_id: spec.id, section_1: textOf(spec, "1"), section_4_1: textOf(spec, "4.1") };
}

/** Sections 2, 3 and 4.2, for Agent B. */
export function logicSlice(spec: ItemSpec): LogicSlice {
  return {
    item_id: spec.id,
    section_2: textOf(spec, "2"),
    section_3: textOf(spec, "3"),
    section_4_2: textOf(spec, "4.2"),
  };
}

function textOf(spec: ItemSpec, key: SectionKey): string {
  return spec.sections[key]?.text ?? "";
}
