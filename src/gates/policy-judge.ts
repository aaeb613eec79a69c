// Judges the changes of gate4_no_policy after which a record is missing: did the code decide by a value, or is the text a
// fixed part of the format?
import type { AtomSession } from "../../sandbox/types.ts";
import type { NormalizedConfig } from "../contract/config.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { Findings } from "./findings.ts";
import { stillMatches } from "./pattern-tester.ts";
import type { Change } from "./policy-changes.ts";
import type { Sample } from "./samples.ts";
import { show } from "./show.ts";
import type { Literals } from "./static/literals.ts";

const GATE = "gate4_no_policy";

export interface PolicyAim {
  samples: readonly Sample[];
  literals: Literals;
  config: NormalizedConfig | undefined;
  spec: ItemSpec | undefined;
}

/** Judges changes after which the record is missing. */
export async function judgeLost(
  lost: readonly Change[],
  known: { controlled: ReadonlySet<Change>; sized: ReadonlySet<Change> },
  session: AtomSession,
  aim: PolicyAim,
  findings: Findings,
): Promise<void> {
  const policy = policyWords(aim);
  const format = formatWords(aim.spec);
  for (const change of lost) {
    const { from, to, kind, record } = change;
    const rule = "Values must not decide whether a record is extracted (PR5)";
    const where =
      change.at === record.line_number ? `line ${change.at}` : `the record of line ${record.line_number}`;
    const what = `with ${show(from, 60)} changed to ${show(to, 60)}, ${where} is not a record any more`;
    const example = show([change.before, change.line], 300);
    if (kind === "named") {
      if (!known.controlled.has(change)) continue;
      const message = `${rule}; ${what}, but with any other name it is. The config names ${show(to, 60)}: only the config may decide about it.`;
      findings.error(GATE, "atom_a", "named_value_dropped", message, { example });
      continue;
    }
    const matches = await stillMatches(session, aim.literals, change.before, change.line);
    const beyond = matches || (kind === "number" && known.sized.has(change));
    const literal = decidingLiteral(aim.literals, from);
    const described = format.has(from.toLowerCase());
    const named = policy.has(from.toLowerCase()) && !described;
    const whole = literal !== undefined && isWholePattern(literal, aim.config);
    const byNumber = kind === "number" && beyond && !described && decidesByNumber(aim, change, format);
    const fixed = kind === "word" && isFixed(change);
    if ((named && (beyond || (whole && !fixed))) || byNumber) {
      const by = literal === undefined ? "" : ` The code decides by ${show(literal, 60)}.`;
      const page =
        aim.spec === undefined
          ? " No page was found; if the format fixes this text, add the ItemSpec to the folder."
          : "";
      findings.error(GATE, "atom_a", "value_decides", `${rule}; ${what}.${by}${page}`, { example });
    } else {
      const message = `${what}. Right only if the format itself fixes this text.`;
      findings.warn(GATE, "atom_a", "value_decides", message, { example });
    }
  }
}

/** Is the word the same in all records, so that it may be part of the format? Not if it is one of several values. */
function isFixed({ column, record, from, sample }: Change): boolean {
  if (column.records.length > 0) return false;
  return record.value !== from || sample.records.every(({ value }) => value === from);
}

/** Does the code compare with a number, or a text with this number, that the page does not describe? Or does it contain an
 * expression of the config? */
function decidesByNumber(aim: PolicyAim, { from, to, column }: Change, format: ReadonlySet<string>): boolean {
  const regexes = [
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
  ]
    .filter((text) => text.startsWith("regex:"))
    .map((text) => text.slice("regex:".length));
  if (aim.literals.patterns.some((p) => p.source.length > 2 && regexes.includes(p.source))) return true;
  const numbers = aim.literals.comparedNumbers.filter((n) => !format.has(String(Math.abs(n))));
  // A bound above all observed values may be the end of a range of the format (hours, percent, bytes); a bound between
  // observed values is a decision.
  const observed = [from, ...column.all].map(Number);
  const isRangeEnd = (n: number): boolean =>
    Number(to) > n && observed.every((value) => value <= n) && !isYear(from);
  if (numbers.some((n) => !isRangeEnd(n))) return true;
  return aim.literals.texts.some((t) => t.decides && wordsIn(t.text).some((word) => word === from));
}

function isYear(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits);
}

/** Words of the requirements and waivers: in the config, and in sections 2 and 3 of the page. */
function policyWords(aim: PolicyAim): Set<string> {
  const texts = [
    ...(aim.config?.requirements.pattern_items ?? []),
    ...(aim.config?.waivers.waive_items ?? []),
    aim.spec?.sections["2"]?.text ?? "",
    aim.spec?.sections["3"]?.text ?? "",
  ];
  return wordSet(texts.join("\n"));
}

/** Words that describe the format, in sections 1 and 4.1; none without the page. */
function formatWords(spec: ItemSpec | undefined): Set<string> {
  return wordSet([spec?.sections["1"]?.text, spec?.sections["4.1"]?.text].join("\n"));
}

function wordsIn(text: string): string[] {
  return text.match(/\p{L}[\p{L}_]+|\d+/gu) ?? [];
}

function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/\p{L}[\p{L}_]+|\d+/gu) ?? []);
}

/** A literal of the code that contains the changed text as a word. */
function decidingLiteral(literals: Literals, from: string): string | undefined {
  const isWord = (text: string): boolean => wordsIn(text).some((word) => word === from);
  return (
    literals.texts.find((t) => isWord(t.text))?.text ??
    literals.patterns.find((p) => isWord(p.source))?.source
  );
}

function isWholePattern(literal: string, config: NormalizedConfig | undefined): boolean {
  const plain = literal.trim().toLowerCase();
  const texts = [...(config?.requirements.pattern_items ?? []), ...(config?.waivers.waive_items ?? [])];
  return texts.some((text) => {
    const parts = text.includes("|")
      ? text.split("|")
      : [text.replace(/^regex:\^?/, "").replace(/[*?$\\]/g, "")];
    return parts.some((part) => part.trim().toLowerCase() === plain);
  });
}
