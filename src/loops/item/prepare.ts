// The stages before any author: load_spec reads the page, preprocess resolves its path variables and opens the tool
// quota. Both are cheap, so a resumed run may repeat them.
import { AtomsmithError } from "../../core/errors.ts";
import { variablesOf } from "../../files/variables.ts";
import { checkProblems } from "../../runtime/check-block.ts";
import { logicSlice, parseItemSpec, parsingSlice } from "../../spec/index.ts";
import type { ItemSpec, LogicSlice, ParsingSlice, SectionKey } from "../../spec/types.ts";
import { createFileTools, toolLimits } from "../../tools/index.ts";
import type { FileTools, ToolsSnapshot } from "../../tools/types.ts";
import { ITEM_LOOP } from "./events.ts";
import { saveStageOutput } from "./item-store.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** Reads and slices the page. Throws kind `spec` for a page that cannot be used. */
export async function loadSpec(state: ItemState, services: ItemServices): Promise<ItemState> {
  const bytes = await readSpecBytes(state.item_spec_path);
  const spec = parseItemSpec(bytes, state.item_spec_path, checkProblems);
  const sections = Object.fromEntries(
    Object.entries(spec.sections).flatMap(([key, section]) => (section ? [[key, section]] : [])),
  );
  await saveStageOutput(services.store, "load_spec", {
    timestamp: services.now(),
    item_id: spec.id,
    item_spec_path: spec.path,
    item_spec_sha256: spec.sha256,
    title: spec.title,
    headings: spec.headings,
    warnings: spec.warnings,
    spec_sections: sections,
    spec_blocks: spec.blocks,
  });
  const unused = unusedAnswer(spec, state.answers);
  for (const message of unused === undefined ? spec.warnings : [...spec.warnings, unused]) {
    services.emit({ type: "log", level: "warning", message });
  }
  return {
    ...state,
    item_spec_sha256: spec.sha256,
    item_spec_content: new TextDecoder().decode(bytes),
    spec_title: spec.title,
    spec_headings: spec.headings,
    spec_warnings: spec.warnings,
    spec_sections: sections,
    spec_blocks: spec.blocks,
  };
}

/** A warning when the page got a check block after the user answered with one; undefined otherwise. */
function unusedAnswer(spec: ItemSpec, answers: readonly string[]): string | undefined {
  const answered = logicSlice({ ...spec, blocks: [] }, answers).check;
  if (answered === null || logicSlice(spec, answers).check === answered) return undefined;
  return "the check block of the page overrides the one given with resume --example";
}

/** Reads the bytes of an ItemSpec. Throws kind `usage` when the file cannot be read. */
export async function readSpecBytes(path: string): Promise<Uint8Array> {
  try {
    return await Bun.file(path).bytes();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "ENOENT" ? "no such file" : code === "EISDIR" ? "is a directory" : `${code}`;
    throw new AtomsmithError("usage", `cannot read the ItemSpec ${path}: ${why}`, {
      where: path,
      cause: error,
    });
  }
}

/** Resolves the path variables of the parsing sections and opens the quota of the tools. */
export async function preprocess(state: ItemState, services: ItemServices): Promise<ItemState> {
  const variables = variablesOf(state.search_root, services.config.paths.variables);
  const next = { ...state, resolved_env_vars: Object.fromEntries(variables) };
  const unknown = unknownVariables(next);
  for (const name of unknown) {
    const message = `the page names \${${name}}, which no configured variable resolves (paths.variables.${name})`;
    services.emit({ type: "log", level: "warning", message });
  }
  const tools = restoreTools(next, services);
  await saveStageOutput(services.store, "preprocess", {
    timestamp: services.now(),
    resolved_env_vars: next.resolved_env_vars,
    unknown_variables: unknown,
    tool_quota: tools.limits,
  });
  return { ...next, tool_quota: quotaOf(tools) };
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** What Agent A may see, with each `${NAME}` replaced by its value, as in a config. */
export function parsingSliceOf(state: ItemState): ParsingSlice {
  const slice = parsingSlice(specOf(state), state.answers);
  const substitute = (text: string): string =>
    text.replace(VARIABLE, (whole, name: string) => state.resolved_env_vars[name] ?? whole);
  return { ...slice, section_1: substitute(slice.section_1), section_4_1: substitute(slice.section_4_1) };
}

/** What Agent B may see. Variables stay: the config it writes must work for another root too. */
export function logicSliceOf(state: ItemState): LogicSlice {
  return logicSlice(specOf(state), state.answers);
}

/** Examples and check block of page and answers, for the gates. */
export function exactBlocks(state: ItemState): Pick<ParsingSlice, "examples"> & Pick<LogicSlice, "check"> {
  return { examples: parsingSliceOf(state).examples, check: logicSliceOf(state).check };
}

function unknownVariables(state: ItemState): string[] {
  const { section_1, section_4_1 } = parsingSlice(specOf(state));
  const names = [...`${section_1}\n${section_4_1}`.matchAll(VARIABLE)].map((match) => match[1] ?? "");
  return [...new Set(names)].filter((name) => !Object.hasOwn(state.resolved_env_vars, name));
}

/** Rebuilds the page as it was when the run began from the state. */
export function specOf(state: ItemState): ItemSpec {
  const section = (key: SectionKey): ItemSpec["sections"][SectionKey] => state.spec_sections[key];
  return {
    id: state.item_id,
    path: state.item_spec_path,
    sha256: state.item_spec_sha256,
    title: state.spec_title,
    sections: {
      "1": section("1"),
      "2": section("2"),
      "3": section("3"),
      "4.1": section("4.1"),
      "4.2": section("4.2"),
      "4.3": section("4.3"),
    },
    blocks: state.spec_blocks,
    headings: state.spec_headings,
    warnings: state.spec_warnings,
  };
}

/** Restores the tools of the last checkpoint, with the quota spent until then. */
export function restoreTools(state: ItemState, services: ItemServices): FileTools {
  return createFileTools({
    searchRoot: state.search_root,
    limits: toolLimits(services.config.tool_constraints),
    hidden: services.hidden,
    emit: services.emit,
    scope: ITEM_LOOP,
    variables: services.config.paths.variables,
    ...(state.tool_quota === null ? {} : { restore: readToolsSnapshot(state.tool_quota) }),
  });
}

export function quotaOf(tools: FileTools): ItemState["tool_quota"] {
  return JSON.parse(JSON.stringify(tools.snapshot())) as ItemState["tool_quota"];
}

/** The snapshot is opaque to the loop: written by the tools and passed back to them unchanged. */
export function readToolsSnapshot(stored: NonNullable<ItemState["tool_quota"]>): ToolsSnapshot {
  return stored as unknown as ToolsSnapshot;
}
