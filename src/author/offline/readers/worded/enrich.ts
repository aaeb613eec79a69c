// What the sentences about the records say of a part beside its own description: "the recipient in angle brackets",
// "the host (H=, followed by ...)", "after a colon, the reason", "the number of attempts", "name, bar and a running
// number". Added to what the page says where it lists the value and the fields.

import { makeHint } from "../../page/make-hint.ts";
import { similarity, stem, wordsOf } from "../../page/names.ts";
import type { Group, Hint, Page } from "../../page/page.ts";
import { quotedIn, splitList } from "../../page/text.ts";

const MARK =
  "(?:at sign|semicolon|colon|equals sign|comma|slash|dash|hyphen|arrow|hash|asterisk|bar|pipe|vertical bar|dot|tab)";
const BRACKET =
  "(?:(?:angle|pointed|square|round|curly|single|double) )?(?:brackets?|parenthes[ie]s|braces|quotes|quotation marks)";
const PLACE = new RegExp(
  `(?:in|inside|within|between) (?:the )?${BRACKET}|(?:after|behind|before|in front of) (?:an?|the) ${MARK}|at the (?:very )?(?:end|start|beginning)|up to the end(?: of the line)?`,
  "i",
);
const ABOUT = /^(?:the )?(?:value|fields?|its fields|take)\b/i;

/** The kind of record with what the page says of its parts elsewhere, as far as the log bears it out. */
export function enriched(group: Group, page: Page, lines: readonly string[]): Group {
  const sentences = page.statements
    .flatMap((statement) => statement.sentences.map((one) => one.text))
    .filter((text) => !ABOUT.test(text));
  const told = (hint: Hint): Hint => {
    const phrases = new Set([
      ...[...hint.description.matchAll(/\(([A-Za-z_][\w.-]*)\)/g)].flatMap((match) =>
        insidePhrases(match[1] ?? "", lines),
      ),
      ...sentences.flatMap((text) => phrasesIn(text, hint, lines)),
      ...dotPhrases(page, hint),
      ...meantBefore(page, hint),
    ]);
    const fresh = [...phrases].filter((one) => !hint.description.includes(one));
    if (fresh.length === 0) return hint;
    const description = `${hint.description} ${fresh.map((one) => `(${one})`).join(" ")}`.trim();
    const full = makeHint(hint.name, description);
    const count = fresh.some((one) => one.startsWith("number of"));
    return {
      ...hint,
      description,
      kind: hint.kind ?? (count ? "number" : undefined),
      literals: [...new Set([...hint.literals, ...full.literals.filter((one) => !one.endsWith("="))])],
    };
  };
  const fields = group.fields.map(told);
  return group.value === undefined ? { ...group, fields } : { ...group, value: told(group.value), fields };
}

/** What a sentence says of a part that it names. */
function phrasesIn(text: string, hint: Hint, lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const { start, end } of mentionsIn(text, hint)) {
    const after = text.slice(end);
    const before = text.slice(0, start);
    const inside = /^\s*\(([^()]*)\)/.exec(after)?.[1];
    if (inside !== undefined) found.push(...insidePhrases(inside, lines));
    const rest = inside === undefined ? after : after.slice(after.indexOf(")") + 1);
    const place = new RegExp(`^,? (?:(?:is |stands? |written |given |printed )*)(${PLACE.source})`, "i").exec(
      rest,
    )?.[1];
    if (place !== undefined) found.push(place);
    const lead = new RegExp(
      `(?:^|[,;(] ?|\\band )\\s*(?:then |there |finally )?((?:${PLACE.source})(?:,? (?:at the end|of the line))?),? (?:the |an? |its )?(?:[a-z]+ ){0,1}?$`,
      "i",
    ).exec(before)?.[1];
    if (lead !== undefined) found.push(lead);
    if (/\bnumber of $/i.test(before)) found.push("number of them");
    const followed =
      /^ followed by (?:the |an? |its )[^,;]{0,40}? in (square|round|angle)? ?(brackets|parentheses)/i.exec(
        after,
      );
    if (followed !== null)
      found.push(
        `before the ${followed[2] === "parentheses" ? "parenthesis" : `${followed[1] ?? ""} bracket`.trim()}`,
      );
  }
  found.push(...besideMarks(text, hint));
  found.push(...joinedBy(text, hint));
  return found;
}

/** "(H=, in angle brackets)", "(rip)": the key of the part in the log, and where it stands. */
function insidePhrases(inside: string, lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const piece of inside.split(/,\s*/)) {
    if (/\b(?:its|their|then|followed)\b/i.test(piece)) break;
    const bare = piece.replace(/^key /, "").replace(/[`"]/g, "").trim();
    const place = PLACE.exec(piece)?.[0];
    if (place !== undefined) found.push(place);
    if (!/^[A-Za-z_][\w.-]*\s?[=:]?$/.test(bare)) continue;
    const key = [bare, `${bare}=`, `${bare}:`, `"${bare}":`].find(
      (one) => /[=:]$/.test(one) && lines.some((line) => hasKey(line, one)),
    );
    if (key !== undefined) found.push(`after \`${key}\``);
  }
  return found;
}

function hasKey(line: string, key: string): boolean {
  for (let at = line.indexOf(key); at >= 0; at = line.indexOf(key, at + 1))
    if (!/[\w.-]/.test(line.charAt(at - 1))) return true;
  return false;
}

/** "`login of ... from ...`, where the dots stand for the user and the host": each of them between its neighbours. */
function dotPhrases(page: Page, hint: Hint): string[] {
  for (const { text } of page.statements) {
    const meant = /\bdots (?:stand|standing) for ([^.;]+)/i.exec(text)?.[1];
    const shown = quotedIn(text).find((one) => /\.\.\.|…/.test(one.text))?.text;
    if (meant === undefined || shown === undefined) continue;
    const pieces = shown.split(/\s*(?:\.\.\.|…)\s*/);
    const at = splitList(meant).findIndex((part) => isMeant(part, hint));
    const [before = "", after = ""] = [pieces[at], pieces[at + 1]];
    if (at < 0 || at + 1 >= pieces.length) continue;
    const left = before.replace(/["'([<]$/, "").trim();
    const right = after.replace(/^["')\]>]/, "").trim();
    return [
      ...(left === "" ? [] : [`after \`${left}\``]),
      ...(right === "" ? [] : [`before \`${right}\``]),
      ...(/'$/.test(before) && after.startsWith("'") ? ["in single quotes"] : []),
    ];
  }
  return [];
}

/** "... writes quotation marks as \\042; the value is the name between two of these": the mark named last. */
function meantBefore(page: Page, hint: Hint): string[] {
  const side =
    /\b(between|inside|after|behind|before|in front of)\s+(?:(?:two|both) of\s+)?(?:these|those|them)\b/i.exec(
      hint.description,
    );
  if (side === null) return [];
  const whole = page.statements.map((one) => one.text).join(" ");
  const at = whole.indexOf(side[0]);
  if (at < 0) return [];
  const marks = [...whole.slice(0, at).matchAll(/\\[\w\\]+|`[^`]+`|"[^"]+"/g)];
  const mark = (marks.at(-1)?.[0] ?? "").replace(/^[`"]|[`"]$/g, "");
  if (mark === "") return [];
  return /between|inside/i.test(side[1] ?? "")
    ? [`between \`${mark}\` and \`${mark}\``]
    : [`${side[1] ?? ""} \`${mark}\``];
}

/** "written as name, bar and a running number": what stands before and behind the mark. */
function besideMarks(text: string, hint: Hint): string[] {
  if (!new RegExp(`\\b${MARK}\\b`, "i").test(text)) return [];
  const parts = splitList(text.replace(/\([^)]*\)/g, " ").replace(/\b(?:which is )?written as\b/gi, ","));
  const found: string[] = [];
  for (const [index, part] of parts.entries()) {
    const mark = new RegExp(`^(?:then )?(?:an? |the )?(${MARK})$`, "i").exec(part)?.[1];
    if (mark === undefined) continue;
    if (isMeant(parts[index - 1] ?? "", hint)) found.push(`before the ${mark}`);
    if (isMeant(parts[index + 1] ?? "", hint)) found.push(`after the ${mark}`);
  }
  return found;
}

/** "plugin, version and goal joined by colons": each of them between its neighbours. */
function joinedBy(text: string, hint: Hint): string[] {
  const joined = new RegExp(
    `^(.*?),? (?:joined|separated|divided|connected) by (?:an? |the |single )?(${MARK})(s|es)?\\b`,
    "i",
  ).exec(text);
  if (joined === null) return [];
  const [, before = "", mark = "", plural] = joined;
  const parts = splitList(before.replace(/^.*[:;]\s/, "")).slice(plural === undefined ? -2 : -4);
  const at = parts.findIndex((part) => isMeant(part, hint));
  if (at < 0) return [];
  if (at === parts.length - 1) return [`after the ${mark}`];
  if (at === 0 || parts.length === 2 || plural === undefined) return [`before the ${mark}`];
  return [`between the ${mark} and the ${mark}`];
}

/** Does a piece of a list name the part by its last words? */
function isMeant(part: string, hint: Hint): boolean {
  const words = part.trim().split(/\s+/).slice(-2).join(" ");
  if (words === "") return false;
  return namesOf(hint).some(
    (name) => similarity(name, words) >= 0.85 || similarity(name, words.split(" ").at(-1) ?? "") >= 0.85,
  );
}

/** What the page may call the part: its name, what it is the name or address of, and the words of its description. */
function namesOf(hint: Hint): string[] {
  const own = hint.name.replace(/_/g, " ");
  const plain = hint.description.replace(/^\(|\)$/g, "");
  const owner =
    /^(?:the )?(?:name|address|text|id|number|value|title|path) of (?:the |an? |each |every )?((?:such )?[a-z]+)/i.exec(
      plain,
    )?.[1];
  const said = /^(?:the |an? |its )?((?:[a-z]+ ){0,2}[a-z]+)$/i.exec(plain)?.[1];
  // "the id of the test" for the test id.
  const [first = "", last = "", ...more] = own.split(" ");
  const turned = last === "" || more.length > 0 ? [] : [`${last} of the ${first}`];
  const alias = own === "ip" ? ["address"] : turned;
  return [
    own,
    ...(owner === undefined ? [] : [owner]),
    ...(said === undefined ? [] : [said]),
    ...alias,
  ].filter((one) => one.length > 1);
}

/** Where a sentence names the part. */
function mentionsIn(text: string, hint: Hint): { start: number; end: number }[] {
  const places: { start: number; end: number }[] = [];
  for (const name of namesOf(hint)) {
    const words = wordsOf(name);
    const head = words.map((word) => `${word.replace(/[^a-z0-9]/gi, "")}\\w{0,3}`).join("\\s+");
    for (const match of text.matchAll(new RegExp(`(?<![\\w-])(?:the |its |an? )?${head}(?![\\w-])`, "gi"))) {
      const same = wordsOf(match[0]).filter((word) => !/^(?:the|its|an?)$/.test(word));
      if (same.every((word, at) => stem(word) === stem(words[at] ?? "")))
        places.push({ start: match.index, end: match.index + match[0].length });
    }
  }
  return places;
}
