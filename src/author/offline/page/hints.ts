// What a page says about a value or a field: its name, texts shown, choices, kind of text.

import { codedParts } from "./coded-names.ts";
import { makeHint, oneOf } from "./make-hint.ts";
import { listParts, nameWithin } from "./name-list.ts";
import { fieldName, kindOf, wordsOf } from "./names.ts";
import { isSometimes, mayBeMissing } from "./optional.ts";
import type { Hint } from "./page.ts";
import { shareAll, shareColumns, sharePair, shareRemark, shareSides, shareTexts } from "./shared-hints.ts";
import { splitList } from "./text.ts";
import { valueNoun } from "./value-noun.ts";

/** "..., and, where they are printed, `list` and `user`": about all that follow. */
const FOR_ALL =
  /^(?:and,? )?(?:where|if|when|as far as) (?:it|they|these|there|given|present|printed|shown)\b/i;
const SOMETIMES = /\b(?:optional|if any|where there|when (?:there|present)|if present|may be)\b/i;

/** "the sign in front of the name (optional)": says what the name before it means. */
const APPOSITION = /^(?:the|an?|its) [^()]+\([^()]*\)$/i;

/** Which names that follow in a list may be missing. */
interface Missing {
  next: boolean;
  fromHere: boolean;
}

/** A part of a list without a name says that what follows may be missing, or is about what stands before it. */
function addRemark(previous: Hint | undefined, part: string, missing: Missing): void {
  // At the end of a list it is about the name before it.
  if (FOR_ALL.test(part)) Object.assign(missing, { fromHere: true, next: true });
  else if (SOMETIMES.test(part) && mayBeMissing(part) && !APPOSITION.test(part)) missing.next = true;
  else if (previous !== undefined) {
    missing.next = false;
    Object.assign(previous, makeHint(previous.name, `${previous.description}, ${part}`));
  }
}

/** Reads "`limit`, `slack` (may be blank) and `count`: how often"; of a `single` field all behind its name is about it. */
export function readHints(text: string, single = false): Hint[] {
  if (/^\s*(?:$|none|no\b|n\/a|-|\u2013)/i.test(text)) return [];
  const plain = paired(text.replace(/[.。]\s*$/, ""));
  return /`[A-Za-z_][\w .-]*`/.test(plain) ? readCoded(plain) : readPlain(plain, single);
}

/** "`kind`: `query`, `query (cache)` or `transfer`": behind the name stand the texts that it may have. */
function choicesIn(text: string, parts: readonly string[]): Set<number> {
  const found = new Set<number>();
  let from = 0;
  const joined = parts.map((part) => {
    const at = text.indexOf(part, from);
    from = Math.max(from, at + part.length);
    return /\bor\s+$/.test(text.slice(0, Math.max(0, at)));
  });
  const isText = (at: number): boolean => /^`[^`]+`[.)]?$/.test(parts[at] ?? "");
  for (const [index, isOr] of joined.entries()) {
    if (!isOr || !isText(index)) continue;
    // The first of them stands behind the name itself.
    for (let at = index; at > 0 && isText(at); at -= 1) found.add(at);
  }
  return found;
}

/** "a, b and c: the number, the name and the place": each name with what is said of it. */
function paired(text: string): string {
  const [, left = "", right = ""] = /^([^:()]+):\s+((?:the|its|an?)\s[^:]+)$/.exec(text) ?? [];
  const names = splitList(left);
  const told = splitList(right);
  const isEach = told.every((one) => /^(?:the|its|an?|what|how)\s/i.test(one));
  if (names.length < 2 || names.length !== told.length || !isEach) return text;
  if (!names.every((one) => /^`?[a-z]\w*`?$/i.test(one))) return text;
  return names.map((one, index) => `${one} (${(told[index] ?? "").replace(/[()]/g, " ")})`).join(", ");
}

/** Names in backticks: they alone are names. */
function readCoded(text: string): Hint[] {
  const hints: Hint[] = [];
  const missing: Missing = { next: false, fromHere: false };
  let condition = "";
  const parts = codedParts(text);
  const choices = choicesIn(
    text,
    parts.map((one) => one.text),
  );
  for (const [index, { text: part, name }] of parts.entries()) {
    const own = hints.at(-1);
    if (own !== undefined && choices.has(index)) {
      const joined = `${own.description} or ${part}`;
      Object.assign(own, makeHint(own.name, joined), { optional: own.optional });
      continue;
    }
    if (own !== undefined && name === null && /^(?:each|both|all)\b/i.test(part) && qualified(hints, part))
      continue;
    if (name === null) {
      addRemark(hints.at(-1), part, missing);
      shareRemark(hints);
      continue;
    }
    // "and, where they are printed, `clock` and `edge`": what stands in front holds for the names behind it.
    condition = conditionIn(part.slice(0, name.index + name[0].indexOf("`"))) ?? condition;
    const { rawName, description } = nameIn(name[1] ?? "", part.slice(name.index + name[0].length));
    if (
      addHint(
        hints,
        rawName,
        `${description} ${condition}`.trim(),
        description,
        text,
        missing,
        condition !== "",
      )
    )
      break;
  }
  // "..., if any" at the end is about the name before it.
  if (missing.next) Object.assign(hints.at(-1) ?? {}, { optional: true });
  return hints;
}

/** Names in plain words. */
function readPlain(text: string, single: boolean): Hint[] {
  const hints: Hint[] = [];
  const missing: Missing = { next: false, fromHere: false };
  let bare = false;
  const parts = listParts(text);
  for (const [index, { text: part, remark, all, optional }] of parts.entries()) {
    const previous = hints.at(-1);
    const isMore =
      single &&
      index > 0 &&
      !/^(?!(?:in|on|of|at|by|to|as|for|with|from)\b)[a-z]\w*(?: (?:the|its) .*)?$/.test(part);
    if (remark || isMore) {
      if (hints.length === 0 || !qualified(hints, part)) addMore(hints, part, all === true, missing);
      continue;
    }
    const within = nameWithin(part);
    if (within === undefined && previous !== undefined && isApposition(part, previous, bare)) {
      Object.assign(previous, makeHint(previous.name, `${previous.description} (${part})`.trim()));
      continue;
    }
    if (qualified(hints, part)) continue;
    const name = /^([^(:：=]+)/.exec(part);
    if (name === null) {
      addRemark(previous, part, missing);
      continue;
    }
    const { rawName, description } =
      within === undefined
        ? nameIn(name[1] ?? "", part.slice(name.index + name[0].length))
        : { rawName: within.name, description: within.rest };
    bare = /^[a-z][\w]*$/.test(part.trim());
    if (addHint(hints, rawName, description, description, text, missing, optional === true)) break;
  }
  shareColumns(hints);
  return hints;
}

/** Adds a remark to the last name, or to all of them. */
function addMore(hints: Hint[], part: string, all: boolean, missing: Missing): void {
  const previous = hints.at(-1);
  const isAhead = (FOR_ALL.test(part) || SOMETIMES.test(part)) && /^(?:and|or|but)\b/i.test(part);
  if (all) for (const [at, one] of hints.entries()) hints[at] = withMore(one, part);
  else if (previous === undefined || isAhead) addRemark(previous, part, missing);
  else hints[hints.length - 1] = withMore(previous, part);
}

/** A hint with a remark more. */
function withMore(one: Hint, remark: string): Hint {
  const told = makeHint(one.name, `${one.description} (${remark.replace(/[()]/g, " ")})`.trim());
  return { ...told, optional: told.optional || one.optional || PARTLY.test(remark), kind: one.kind };
}

/** Adds a part of the list; true when what follows was about it and the one before it. */
function addHint(
  hints: Hint[],
  rawName: string,
  whole: string,
  description: string,
  text: string,
  missing: Missing,
  conditioned: boolean,
): boolean {
  if (rawName === "" || wordsOf(rawName).length > 5) return false;
  const hint = makeHint(fieldName(rawName), whole);
  shareAll(hints, description);
  shareSides(hints, hint, description);
  hint.optional ||= missing.next || missing.fromHere || conditioned;
  missing.next = false;
  const isPair = !shareTexts(hints, hint, description) && sharePair(text, hints, hint, description);
  if (hint.name !== "" && !hints.some((one) => one.name === hint.name)) hints.push(hint);
  return isPair;
}

/** "and, where they are printed behind the cell": a condition in front of a name. */
function conditionIn(lead: string): string | undefined {
  return OPTIONAL_LEAD.test(lead) || isSometimes(lead)
    ? `(${lead.replace(/^and,? /i, "").trim()})`
    : undefined;
}

/** A part of a list that names nothing but says more about what stands before it: "without its parentheses", "which
 * only some sentences name", "both with their unit". */
const QUALIFIES =
  /^(?:(?:and )?(?:which|that|whose|without|up to|until|including|both|each|all of (?:them|these)|all (?=with|as |in |from )|from (?:the|its|where)|with (?:its|their|the)|as (?:printed|written|shown|given|it stands|far as)|if |where |when |but )(?!\w*`))/i;

/** "from the list of users the program name": the name that follows a place in front of it. */
function named(part: string): string | undefined {
  return /^(?:from|in|behind|after) (?:the|its) [^,]*? the ((?:[a-z]+ ){0,2}[a-z]+)(?: (?:without|with|as) .*)?$/i.exec(
    part,
  )?.[1];
}

/** Adds what a part says to the hint before it, or to all that "both" and "each" mean; false when it names a part. */
function qualified(hints: Hint[], part: string): boolean {
  if (hints.length === 0 || !QUALIFIES.test(part) || named(part) !== undefined) return false;
  const count = /^both\b/i.test(part) ? 2 : /^(?:each|all)\b/i.test(part) ? hints.length : 1;
  for (let at = Math.max(0, hints.length - count); at < hints.length; at += 1) {
    const one = hints[at];
    if (one === undefined) continue;
    const rest = count > 1 ? part.replace(/^(?:both|each|all(?: of (?:them|these))?)\s+/i, "") : part;
    const told = makeHint(one.name, `${one.description} (${rest})`.trim());
    hints[at] = { ...told, optional: told.optional || one.optional || PARTLY.test(rest), kind: one.kind };
  }
  return true;
}

/** "which only some sentences name", "that not every line has". */
const PARTLY =
  /\b(?:only (?:some|a few|certain|many)|as far as|some (?:\w+ )?(?:only|lack|do not|have no)|not (?:every|all)|is (?:sometimes|often) (?:missing|absent))\b/i;

/** The name of a field and what is said about it: "the client as host" is the field host. */
function nameIn(text: string, behind: string): { rawName: string; description: string } {
  const rest = behind.replace(/^\s*[:：=–-]\s*/, "").trim();
  const whole = text
    .replace(/^(?:the|its|an?|each)\s+/i, "")
    .replace(/^(?:(?:both|two|three|four) )?(?:keys?|columns?|counters?)\s+["“]?(?!of\b|in\b)(?=\w)/i, "")
    .replace(/["”]/g, "")
    .trim();
  const placed = named(whole);
  if (placed !== undefined) return { rawName: placed, description: `(${whole}) ${rest}`.trim() };
  // "tty the last word".
  const plain = /^([a-z][a-z_0-9]*) ((?:the|its) .+)$/.exec(whole);
  if (
    plain !== null &&
    !/^(?:of|in|on|at|by|to|from|for|with|and|or|as|all|both|each|only)$/.test(plain[1] ?? "")
  )
    return { rawName: plain[1] ?? "", description: `(${plain[2] ?? ""}) ${rest}`.trim() };
  const stated =
    /^`?([a-z][a-z_]*)`? (?:is|holds|contains|gives|has|takes|says|shows) (?=the|an?|what|its|his|how|which|who)(.+)$/.exec(
      whole,
    );
  if (stated !== null)
    return { rawName: stated[1] ?? "", description: `(${stated[2] ?? ""}) ${rest}`.trim() };
  const called = /^(.+) as `?([a-z][a-z_]*)`?$/.exec(whole);
  if (
    called !== null &&
    !/^(?:printed|written|well|given|shown|is|such|field|fields|text)$/.test(called[2] ?? "")
  )
    return { rawName: called[2] ?? "", description: `(${called[1] ?? ""}) ${rest}`.trim() };
  const rawName = headOf(whole);
  const cut = rawName.length < whole.length;
  return { rawName, description: cut ? `(${whole}) ${rest}`.trim() : rest };
}

/** The name without what says more about it: "time" of "time of the sample as printed". */
function headOf(name: string): string {
  const head = name.replace(
    /\s+(?:that|which|whose|as|in|from|behind|after|before|between|without|with|where|when|if|at|on|inside|up to|until|of (?:the|each|every|its|this|that|an?))\b.*$/i,
    "",
  );
  return head.trim() === "" ? name : head.trim();
}

/** "timestamp, the time stamp line above": the second part says what the first one is. */
function isApposition(part: string, previous: Hint, bare: boolean): boolean {
  if (!/^(?:i\.e\. )?(?:the|its)\s/i.test(part) || previous.description !== "") return false;
  // "ip4_address, the first address with its prefix length": a bare name, then what it is.
  if (bare && part.split(/\s+/).length >= 5) return true;
  return /\b(?:after|before|above|below|behind|in front|inside|between|in (?:round |square |angle )?(?:parenthes|bracket|quot)|as printed|following|without|up to|which)\b/i.test(
    part,
  );
}

const OPTIONAL_LEAD =
  /^(?:and |or )?(?:for|with|in) (?:the (?:\w+ )?(?:form|variant|kind|layout|spelling|lines?|case)s?|[A-Z]\w+|[a-z]+s)(?: the| an?| also)* $|\b(?:where|if|when) (?:they are|it is|there (?:is|are)|(?:they|it) (?:have|has))\b|\bif (?:given|present|printed|any)\b|\bunless\b|\b(?:that|which) (?:have|has) (?:one|any|it)\b|\b(?:where|if|when|whenever) (?:the|an?|its) \w+ (?:has|have|gives|names|shows|prints|is)\b/i;

/** "the category (definitely lost, possibly lost, still reachable)": all of the texts that the value may have. */
function enumerated(text: string): string[] {
  const body = /\(([^()]*,[^()]*)\)/.exec(text)?.[1] ?? "";
  if (
    /\b(?:e\.g|for example|such as|like|etc|and so on|without|with|from|of|the|in|not|as)\b|\.\.|…/i.test(
      body,
    )
  )
    return [];
  const parts = splitList(body).map((part) => part.replace(/^[`"]|[`"]$/g, "").trim());
  return parts.length >= 3 && parts.every((part) => /^[\w-]+(?: [\w-]+)?$/.test(part)) ? parts : [];
}

/** The value hint: the name is the head of the description ("the remote host, as printed" -> "remote host"). */
export function readValue(text: string): Hint {
  // "Take the title of every hint as value".
  const plain = text
    .replace(/[.。;]\s*$/, "")
    .trim()
    .replace(
      /^(?:(?:as|for) (?:the )?value,? )?(?:please )?(?:take|use|report|extract|keep|give|record|list|store|read|return|we (?:want|need|take))\s+(?=(?:the|its|their|each|every|an?)\b)/i,
      "",
    );
  const head = /^(?:(?:(?:the|an?|its) )?`([^`]+)`|(?:the |an? |its |each )*([^,(;:`"]+))/i.exec(plain);
  const named = (valueNoun(plain) ?? head?.[1] ?? head?.[2] ?? "")
    .replace(/\s+(?:alone|only|itself|together)\s*$/i, "")
    .replace(/^(?:complete|whole|entire) (?=[a-z])/i, "")
    .replace(
      /(?<!-)\b(?:without|with|as|between|from|of (?:the|each|every|all|an?|its|this|that|such)|in|on (?:the|its|that|this)|that|which|after|before|where|up to|inside|behind|following|named|starting|beginning|ending|whose|at)\b(?!-).*$/i,
      "",
    )
    .trim();
  const hint = makeHint(fieldName(named), plain);
  hint.choices = [enumerated(plain), oneOf(plain)].find((one) => one.length > 0) ?? [];
  if (head?.[1] !== undefined)
    hint.literals = hint.literals.filter((one) => one !== head[1] || /\W/.test(one));
  hint.kind = kindOf(hint.name, "") ?? kindOf("", named);
  return hint;
}
