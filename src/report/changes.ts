// The differences between a new set and the accepted one as signed lines, shared by the console, the HTML page and the
// report of `batch`.
import type {
  Bounded,
  ChangedRecord,
  RecordText,
  SetChanges,
  SetSide,
  SettingChange,
  WaiverChangeEntry,
  WaiverTerms,
} from "../contract/changes.ts";
import { count } from "../core/words.ts";

export interface ChangeLine {
  /** Added, removed, changed, or a remark. */
  sign: "+" | "-" | "~" | "…" | "!";
  /** The subject: `record`, `waiver`, or a key of the config. */
  what: string;
  /** `logs/a.log:12` for records, otherwise empty. */
  place: string;
  text: string;
}

/** One line: `FAIL -> PASS, 12 -> 14 records`. */
export function changesHeadline(changes: SetChanges): string {
  const { kind, before, after } = changes;
  if (kind === "new") {
    if (after.outcome === null) return "new";
    return ["new", after.outcome.toUpperCase(), ...recordsText(after)].join(", ");
  }
  if (kind === "same") return `no changes (${sideText(after)})`;
  if (before === null) return "";
  const outcome = arrow(outcomeWord(before), outcomeWord(after));
  const records =
    before.records === null || after.records === null
      ? []
      : [
          `${arrow(String(before.records), String(after.records))} ${after.records === 1 ? "record" : "records"}`,
        ];
  return [kind === "unknown" ? "not compared" : outcome, ...records].join(", ");
}

/** The changes in order: sets that could not be run, records, config, waivers, files. At most `perList` lines of each
 * list. */
export function changeLines(changes: SetChanges, perList: number): ChangeLine[] {
  const { kind, before, after, records, requirements, waivers, files } = changes;
  const lines: ChangeLine[] = [];
  if (before?.problem != null) lines.push(remark(`the accepted set: ${before.problem}`));
  if (after.problem !== null && kind !== "new") lines.push(remark(`the new set: ${after.problem}`));
  if (records !== null) {
    lines.push(...listed(records.gained, "record", perList, (record) => recordLine("+", record)));
    lines.push(...listed(records.lost, "record", perList, (record) => recordLine("-", record)));
    lines.push(...listed(records.changed, "record", perList, changedLine));
  }
  lines.push(...listed(requirements, "entry of the config", perList, settingLine));
  lines.push(...listed(waivers, "waiver", perList, waiverLine));
  if (files.length > 0 && kind !== "new") {
    lines.push({ sign: "~", what: "files", place: "", text: files.join(", ") });
  }
  return lines;
}

function listed<T>(
  list: Bounded<T>,
  noun: string,
  perList: number,
  line: (entry: T) => ChangeLine,
): ChangeLine[] {
  const shown = list.first.slice(0, perList);
  const more = list.total - shown.length;
  const plural = noun === "entry of the config" ? "entries of the config" : `${noun}s`;
  const signs = [...new Set(shown.map((entry) => line(entry).sign))];
  const rest = `and ${count(more, `more ${noun}`, `more ${plural}`)}${signs.length === 1 ? ` (${signs[0]})` : ""}`;
  return [...shown.map(line), ...(more > 0 ? [{ sign: "…" as const, what: "", place: "", text: rest }] : [])];
}

function remark(text: string): ChangeLine {
  return { sign: "!", what: "", place: "", text };
}

function recordLine(sign: "+" | "-", { value, file, line_number }: RecordText): ChangeLine {
  return { sign, what: "record", place: placeText(file, line_number), text: quoted(value) };
}

function changedLine({ file, line_number, before, after }: ChangedRecord): ChangeLine {
  const value =
    before.value === after.value ? quoted(after.value) : `${quoted(before.value)} -> ${quoted(after.value)}`;
  const names = [...new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])];
  const fields = names.map(
    (name) => `${name}: ${fieldText(before.fields[name])} -> ${fieldText(after.fields[name])}`,
  );
  const text = [value, ...fields].join("  ");
  return { sign: "~", what: "record", place: placeText(file, line_number), text };
}

function settingLine({ key, before, after }: SettingChange): ChangeLine {
  if (before !== null && after !== null) {
    return { sign: "~", what: key, place: "", text: `${before} -> ${after}` };
  }
  return { sign: before === null ? "+" : "-", what: key, place: "", text: quoted(before ?? after ?? "") };
}

function waiverLine({ pattern, before, after }: WaiverChangeEntry): ChangeLine {
  const sign = before === null ? "+" : after === null ? "-" : "~";
  const terms =
    before !== null && after !== null
      ? `${termsText(before)} -> ${termsText(after)}`
      : termsText(before ?? after ?? { reason: "", until: null });
  return { sign, what: "waiver", place: "", text: `${quoted(pattern)}  ${terms}` };
}

function termsText({ reason, until }: WaiverTerms): string {
  return until === null ? reason : `${reason} (until ${until})`;
}

function fieldText(value: string | undefined): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

function sideText(side: SetSide): string {
  return [outcomeWord(side), ...recordsText(side)].join(", ");
}

function recordsText({ records }: SetSide): string[] {
  return records === null ? [] : [count(records, "record")];
}

function outcomeWord({ outcome }: SetSide): string {
  return outcome === null ? "not run" : outcome.toUpperCase();
}

function arrow(before: string, after: string): string {
  return before === after ? after : `${before} -> ${after}`;
}

function placeText(file: string, line: number | null): string {
  return line === null ? file : `${file}:${line}`;
}

function quoted(text: string): string {
  return `\u201c${text}\u201d`;
}
