import { is_rule, read_headings } from "./headings.js";

/** Does the text of a part fulfil a condition? */
function fulfils(condition, text) {
  if (condition.only !== undefined) return condition.only.includes(text);
  if (condition.filled) return text !== "";
  if (condition.blank && text === "") return true;
  const number = text === "" ? Number.NaN : Number(text.replace(/,/g, ""));
  if (condition.sign !== undefined) return Math.sign(number) === condition.sign;
  return condition.nonzero ? number !== 0 : !Number.isNaN(number);
}

/** Records that the conditions of a rule leave: under its headings, none that is a heading itself or closes a table
 * below a rule of marks, with texts as they must be. */
export function keep_records(rule, records, lines) {
  const headings = rule.under === undefined && !rule.skip_headings ? null : read_headings(lines);
  const own = (line) => rule.skip_headings && headings.own[line];
  const rows = new Set(records.flatMap(({ line }) => (own(line) ? [] : [line])));
  const closes = (line) => is_rule(lines[line - 1] ?? "") && rows.has(line - 2) && !rows.has(line + 1);
  return records.filter(({ line, texts }) => {
    if (rule.under !== undefined && !rule.under.includes(headings.under[line])) return false;
    if (own(line)) return false;
    if (rule.skip_closing && closes(line)) return false;
    return Object.entries(rule.keep ?? {}).every(([name, one]) => fulfils(one, texts[name] ?? ""));
  });
}
