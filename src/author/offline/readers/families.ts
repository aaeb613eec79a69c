// Families of lines: lines of a log that are built alike, whatever their texts. Labelled lines ("Layer: met2") are
// one family each label; others go by their first chunks behind what varies at the front of every log line.

import { isVariable, tokenize } from "../logs/tokens.ts";

export interface Family {
  key: string;
  /** The label of labelled lines. */
  label?: string;
  /** Indices of its lines. */
  indices: number[];
  /** A line of it, one of the most common form. */
  example: string;
}

const LABEL = /^\s*([A-Za-z][\w .()/%#-]{0,40}?)(?:\[\d+\])?\s*[:=](?:\s|$)/;
/** How many chunks tell one family from another. */
const CHUNKS = 3;
const MAX_LINE = 1500;

/** The label of a line like "Layer: met2" or "size = 3"; digits in brackets are no part of it. */
export function labelOf(line: string): string | undefined {
  const label = LABEL.exec(line)?.[1]?.trim();
  return label === undefined || /\d{3,}|\s{3,}/.test(label) ? undefined : label;
}

/** All families of the log, in the order of their first lines. Labelled lines are in two: that of their label, and
 * that of all labelled lines with a text of the same form. */
export function familiesOf(lines: readonly string[], separator?: string): Family[] {
  const common = commonWords(lines);
  const families = new Map<string, Family>();
  const labels = new Map<string, Set<string>>();
  const add = (key: string, index: number, line: string, label?: string): void => {
    const known = families.get(key);
    if (known !== undefined) known.indices.push(index);
    else
      families.set(key, { key, indices: [index], example: line, ...(label === undefined ? {} : { label }) });
  };
  lines.forEach((line, index) => {
    if (line.trim() === "" || line.length > MAX_LINE || !/[\p{L}\p{N}]/u.test(line)) return;
    const label = labelOf(line);
    if (label === undefined) {
      const forms = formOf(line, common, separator);
      add(forms.fine, index, line);
      if (forms.coarse !== forms.fine) add(forms.coarse, index, line);
      return;
    }
    add(`${label}:`, index, line, label);
    const rest = line.slice(line.indexOf(label) + label.length).replace(/^[^:=]*[:=]/, "");
    const form = `<label>:${formOf(rest, common, separator).fine}`;
    add(form, index, line);
    labels.set(form, (labels.get(form) ?? new Set()).add(label));
    add("<label>:…", index, line);
    labels.set("<label>:…", (labels.get("<label>:…") ?? new Set()).add(label));
  });
  for (const [form, own] of labels) if (own.size < 2) families.delete(form);
  dropEqual(families);
  for (const family of families.values()) family.example = typical(family, lines);
  return [...families.values()];
}

/** A coarse family of the very lines of a fine one says nothing more. */
function dropEqual(families: Map<string, Family>): void {
  const seen = new Set<string>();
  for (const [key, { indices }] of families) {
    const id = `${indices[0]}:${indices.at(-1)}:${indices.length}`;
    if (seen.has(id) && key.endsWith("…")) families.delete(key);
    seen.add(id);
  }
}

/** Words that stand in many lines: they are fixed text, others are data. */
function commonWords(lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const line of lines.slice(0, 4000)) {
    for (const word of new Set(line.slice(0, 300).match(/[A-Za-z_][\w-]*/g) ?? [])) {
      const own = word.replace(/\d+/g, "9");
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
  }
  const least = Math.max(3, Math.min(40, lines.length * 0.01));
  return new Set([...counts].filter(([, count]) => count >= least).map(([word]) => word));
}

/** The form of a line by its first chunks, and by the first of them alone. */
function formOf(
  whole: string,
  common: ReadonlySet<string>,
  separator: string | undefined,
): { fine: string; coarse: string } {
  // Parts between separators are data, however many words they have.
  const cut = separator === undefined ? -1 : whole.indexOf(separator);
  const many = cut >= 0 && whole.indexOf(separator ?? "", cut + 1) >= 0;
  const line = many ? `${whole.slice(0, whole.lastIndexOf(" ", cut) + 1)}<cells>` : whole;
  const indent = /^\s/.test(line) ? " " : "";
  const chunks = line.trim().split(/\s+/).slice(0, 12);
  const forms = chunks.map((chunk) => chunkForm(chunk, common));
  const front = forms.findIndex((form) => /[A-Za-z]/.test(form.replace(/<\w+>/g, "")) || /<[wc]/.test(form));
  const from = Math.max(0, front);
  return {
    fine: `${indent}${forms.slice(0, from + CHUNKS).join(" ")}`,
    coarse: `${indent}${forms.slice(0, from + 1).join(" ")}…`,
  };
}

function chunkForm(chunk: string, common: ReadonlySet<string>): string {
  return tokenize(chunk.slice(0, 80))
    .map((token) => {
      const own = token.text.replace(/\d+/g, "9");
      if (token.kind === "word" || token.kind === "mixed") return common.has(own) ? own : "<w>";
      return isVariable(token) ? `<${token.kind}>` : token.text;
    })
    .join("");
}

/** A line with the number of chunks that most lines of the family have. */
function typical(family: Family, lines: readonly string[]): string {
  const counts = new Map<number, { count: number; line: string }>();
  for (const index of family.indices.slice(0, 300)) {
    const line = lines[index] ?? "";
    const size = line.trim().split(/\s+/).length;
    const known = counts.get(size);
    if (known === undefined) counts.set(size, { count: 1, line });
    else known.count += 1;
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.line ?? family.example;
}

/** Lines of the family other than the example with as many tokens: they show which parts vary. */
export function variationOf(
  family: Family,
  lines: readonly string[],
): (span: { start: number; end: number }) => boolean | undefined {
  const base = tokenize(family.example);
  const others = family.indices
    .map((index) => lines[index] ?? "")
    .filter((line) => line !== family.example)
    .slice(0, 200)
    .map((line) => tokenize(line))
    .filter((tokens) => tokens.length === base.length)
    .slice(0, 30);
  return (span) => {
    if (others.length < 2) return undefined;
    return base.some(
      (token, index) =>
        token.start >= span.start &&
        token.end <= span.end &&
        others.some((tokens) => tokens[index]?.text !== token.text),
    );
  };
}
