// Compares a new set with the accepted one after both ran on the same logs: records by file and line, the config key by
// key, waivers by pattern. Pure functions.
import { relative } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomSources, type ParsedItem } from "../contract/atoms.ts";
import {
  type Bounded,
  CHANGES_SHOWN,
  type ChangedRecord,
  type RecordText,
  type SetChanges,
  type SetSide,
  type SettingChange,
  type WaiverChangeEntry,
  type WaiverTerms,
} from "../contract/changes.ts";
import type { FieldCondition, NormalizedConfig } from "../contract/config.ts";
import { hashJson } from "../core/hash.ts";
import type { JsonValue } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import type { CheckedSet } from "./check-types.ts";
import { waiversOf } from "./edit-waivers.ts";
import { readItemConfig } from "./read-config.ts";

/** One of the two sets: its files and its result, or the reason why it was not run. */
export interface ComparedSet {
  sources: AtomSources;
  run: CheckedSet | { problem: string };
}

/** Maximum UTF-8 bytes of a text from a log or a config in the result. */
const TEXT_BYTES = 300;

/** Compares the accepted set, if there is one, with the new one. */
export function compareSets(
  before: ComparedSet | undefined,
  after: ComparedSet,
  searchRoot: string,
): SetChanges {
  const now = sideOf(after);
  if (before === undefined) {
    const none = { requirements: bounded([]), waivers: bounded([]), files: [] };
    return { kind: "new", before: null, after: now, records: null, ...none };
  }
  const was = sideOf(before);
  const records =
    was.records === null || now.records === null
      ? null
      : compareRecords(itemsOf(before), itemsOf(after), searchRoot);
  const requirements = compareSettings(settingsOf(before), settingsOf(after));
  const waivers = compareWaivers(waiverTermsOf(before), waiverTermsOf(after));
  const files = ATOM_PARTS.filter((part) => before.sources[part] !== after.sources[part]);
  const differs =
    requirements.total + waivers.total > 0 ||
    was.outcome !== now.outcome ||
    (records !== null && records.gained.total + records.lost.total + records.changed.total > 0);
  return {
    kind: differs ? "changed" : records === null ? "unknown" : "same",
    before: was,
    after: now,
    records,
    requirements,
    waivers,
    files: files.map((part) => ATOM_FILES[part]),
  };
}

/** Records are compared only when every input was read and no atom failed: an incomplete list would show false losses. */
function sideOf({ run }: ComparedSet): SetSide {
  if ("problem" in run) return { outcome: null, records: null, problem: run.problem };
  const { diagnostics } = run.extraction ?? run.result;
  const problem = diagnostics.find(({ severity }) => severity === "error")?.message ?? null;
  const complete = run.extraction !== null && problem === null;
  return { outcome: run.result.outcome, records: complete ? run.items.length : null, problem };
}

function itemsOf({ run }: ComparedSet): readonly ParsedItem[] {
  return "problem" in run ? [] : run.items;
}

function compareRecords(
  before: readonly ParsedItem[],
  after: readonly ParsedItem[],
  searchRoot: string,
): NonNullable<SetChanges["records"]> {
  const contentKey = (item: ParsedItem): string =>
    hashJson([item.source_file, item.line_number, item.value, item.parsed_fields]);
  const { left: lost, right: gained } = pairByKey(before, after, contentKey);
  const lineKey = (item: ParsedItem): string => `${item.line_number} ${item.source_file}`;
  const rest = pairByKey(lost, gained, lineKey);
  return {
    gained: bounded(rest.right.map((item) => recordText(item, searchRoot))),
    lost: bounded(rest.left.map((item) => recordText(item, searchRoot))),
    changed: bounded(rest.pairs.map(([old, current]) => changedRecord(old, current, searchRoot))),
  };
}

/** Pairs entries with equal keys in order, each entry once; `left` and `right` are those without a partner. */
function pairByKey(
  left: readonly ParsedItem[],
  right: readonly ParsedItem[],
  keyOf: (item: ParsedItem) => string,
): { left: ParsedItem[]; right: ParsedItem[]; pairs: [ParsedItem, ParsedItem][] } {
  const open = new Map<string, ParsedItem[]>();
  for (const item of left) {
    const key = keyOf(item);
    const group = open.get(key);
    if (group === undefined) open.set(key, [item]);
    else group.push(item);
  }
  const pairs: [ParsedItem, ParsedItem][] = [];
  const rest: ParsedItem[] = [];
  for (const item of right) {
    const partner = open.get(keyOf(item))?.shift();
    if (partner === undefined) rest.push(item);
    else pairs.push([partner, item]);
  }
  const paired = new Set(pairs.map(([item]) => item));
  return { left: left.filter((item) => !paired.has(item)), right: rest, pairs };
}

function recordText(item: ParsedItem, searchRoot: string): RecordText {
  const entries = Object.entries(item.parsed_fields).map(([name, value]) => [name, fieldText(value)]);
  return { value: cut(item.value), ...placeOf(item, searchRoot), fields: Object.fromEntries(entries) };
}

function changedRecord(before: ParsedItem, after: ParsedItem, searchRoot: string): ChangedRecord {
  const names = [...new Set([...Object.keys(before.parsed_fields), ...Object.keys(after.parsed_fields)])];
  const changed = names.filter(
    (name) => hashJson(before.parsed_fields[name] ?? null) !== hashJson(after.parsed_fields[name] ?? null),
  );
  const changedFields = (item: ParsedItem): Record<string, string> =>
    Object.fromEntries(
      changed.flatMap((name) => {
        const value = item.parsed_fields[name];
        return value === undefined ? [] : [[name, fieldText(value)]];
      }),
    );
  return {
    ...placeOf(after, searchRoot),
    before: { value: cut(before.value), fields: changedFields(before) },
    after: { value: cut(after.value), fields: changedFields(after) },
  };
}

function placeOf(item: ParsedItem, searchRoot: string): { file: string; line_number: number | null } {
  const file = relative(searchRoot, item.source_file);
  return { file: file.startsWith("..") ? item.source_file : file, line_number: item.line_number };
}

function fieldText(value: JsonValue): string {
  return cut(typeof value === "string" ? value : JSON.stringify(value));
}

function configOf({ sources }: ComparedSet): NormalizedConfig | undefined {
  const reading = readItemConfig(sources.config, "handwritten");
  return reading.ok ? reading.config : undefined;
}

type Setting = { key: string; text: string };

/** All settings of the config except description and waivers, one per entry of a list. An unreadable config is one
 * setting: its text. */
function settingsOf(set: ComparedSet): Setting[] {
  const config = configOf(set);
  if (config === undefined) return [{ key: "config.yaml", text: set.sources.config }];
  const { input_files, requirements, waivers, witnesses, no_witness_reason } = config;
  const list = (key: string, texts: readonly string[]): Setting[] => texts.map((text) => ({ key, text }));
  return [
    ...list("input_files", input_files),
    ...list(
      "requirements.pattern_items",
      requirements.pattern_items.map((pattern, i) => {
        const conditions = requirements.pattern_where?.[i] ?? [];
        return conditions.length === 0
          ? pattern
          : `${pattern} where ${conditions.map(conditionText).join(", ")}`;
      }),
    ),
    ...list("requirements.where", (requirements.where ?? []).map(conditionText)),
    { key: "requirements.expect", text: requirements.expect },
    { key: "requirements.extra", text: requirements.extra },
    // The lists are compared entry by entry, so their counts are not.
    { key: "requirements.value", text: requirements.value === null ? "N/A" : "not N/A" },
    { key: "waivers.value", text: waivers.value === 0 ? "0" : "not 0" },
    ...list("witnesses", witnesses ?? []),
    ...list("no_witness_reason", no_witness_reason === "" ? [] : [no_witness_reason]),
  ];
}

function conditionText({ field, test, wanted }: FieldCondition): string {
  return `${field} ${test} ${wanted}`;
}

/** A key with one entry on either side changed; in lists, entries are added and removed. */
function compareSettings(before: readonly Setting[], after: readonly Setting[]): Bounded<SettingChange> {
  const keys = [...new Set([...before, ...after].map(({ key }) => key))];
  const changes = keys.flatMap((key): SettingChange[] => {
    const oldTexts = before.filter((setting) => setting.key === key).map(({ text }) => text);
    const newTexts = after.filter((setting) => setting.key === key).map(({ text }) => text);
    const removed = oldTexts.filter((text) => !newTexts.includes(text));
    const added = newTexts.filter((text) => !oldTexts.includes(text));
    const single = !LISTS.has(key) && removed.length === 1 && added.length === 1;
    if (single) return [{ key, before: cut(removed[0] ?? ""), after: cut(added[0] ?? "") }];
    return [
      ...removed.map((text) => ({ key, before: cut(text), after: null })),
      ...added.map((text) => ({ key, before: null, after: cut(text) })),
    ];
  });
  return bounded(changes);
}

const LISTS: ReadonlySet<string> = new Set([
  "input_files",
  "requirements.pattern_items",
  "requirements.where",
  "witnesses",
]);

function waiverTermsOf(set: ComparedSet): Map<string, WaiverTerms> {
  const config = configOf(set);
  const waivers = config === undefined ? [] : waiversOf(config);
  return new Map(waivers.map(({ pattern, reason, until }) => [pattern, { reason, until }]));
}

function compareWaivers(
  before: ReadonlyMap<string, WaiverTerms>,
  after: ReadonlyMap<string, WaiverTerms>,
): Bounded<WaiverChangeEntry> {
  const shown = (terms: WaiverTerms | null) => terms && { ...terms, reason: cut(terms.reason) };
  const patterns = [...new Set([...before.keys(), ...after.keys()])];
  const changes = patterns.flatMap((pattern) => {
    const was = before.get(pattern) ?? null;
    const now = after.get(pattern) ?? null;
    const same = was !== null && now !== null && was.reason === now.reason && was.until === now.until;
    return same ? [] : [{ pattern: cut(pattern), before: shown(was), after: shown(now) }];
  });
  return bounded(changes);
}

function bounded<T>(entries: readonly T[]): Bounded<T> {
  return { total: entries.length, first: entries.slice(0, CHANGES_SHOWN) };
}

function cut(text: string): string {
  return truncate(text, TEXT_BYTES).text;
}
