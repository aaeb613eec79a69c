// Kinds of text that a name or the page announces for sure, and parts whose texts are of another kind: a `line` that is a
// path, a `count` without a digit, an address that is two letters. A small vocabulary; what it does not know, it lets pass.

import { wordsOf } from "../../page/names.ts";
import type { Hint } from "../../page/page.ts";
import type { Part } from "./parts.ts";

interface Announced {
  /** As the doubt calls it. */
  what: string;
  announces: (hint: Hint, word: string, isValue: boolean) => boolean;
  /** A text that cannot be of this kind. */
  isOther: (text: string) => boolean;
}

/** Names whose texts have a digit in every log. */
const COUNTED =
  /^(?:line|column|col|pid|tid|uid|gid|ttl|mtu|count|seconds|percent|percentage|slack|length|width|height|seq|bytes)$/;
/** Names whose texts are nothing but a number. */
const PLACE = /^(?:line|column|col|tid|gid|ttl|mtu)$/;
const NUMBER = /^[-+~]?[\d.,:'_-]*\d[\d.,'_-]*(?:e[-+]?\d+)?(?:\s?[A-Za-zµ%°]{0,8})[:*!]?$|^0x[\da-f]+$/i;
/** A value is called "the last column" or "the line" for its place. */
const isCounted = (hint: Hint, word: string, isValue: boolean): boolean =>
  !hint.wholeLine &&
  hint.kind === "number" &&
  COUNTED.test(word) &&
  wordsOf(hint.name).length <= 2 &&
  !(isValue && /^(?:line|col|column)$/.test(word));

/** Does the page show nothing but numbers for the part? */
function showsNumbers(hint: Hint): boolean {
  const shown = hint.literals.map((one) => one.trim()).filter((one) => one !== "");
  return (
    shown.length > 0 &&
    shown.every((one) => /^[-+]?\d[\d.,]*%?$/.test(one) && !/^\d+(?:\.\d+){2,}$/.test(one))
  );
}

const ANNOUNCED: Announced[] = [
  {
    what: "a number",
    announces: (hint, word, isValue) => isCounted(hint, word, isValue) || showsNumbers(hint),
    isOther: (text) => !/\d/.test(text),
  },
  {
    what: "nothing but a number",
    announces: (hint, word, isValue) => isCounted(hint, word, isValue) && PLACE.test(word),
    isOther: (text) => !NUMBER.test(text),
  },
  {
    what: "an address",
    announces: (_hint, word) => /^(?:ip|ipv4|ipv6|mac)$/.test(word),
    // "unassigned", "anywhere", "incomplete" stand for none.
    isOther: (text) => /^[\w-]+$/.test(text) && !/^[\da-f]{12}$|^(?:un|in|any|dis|non?)[a-z]*$/i.test(text),
  },
  {
    what: "a time",
    announces: (hint, word) => hint.kind === "time" && /^(?:time|timestamp|date)$/.test(word),
    isOther: (text) => !/\d/.test(text),
  },
  {
    what: "a version",
    announces: (_hint, word) => word === "version",
    isOther: (text) => !/\d/.test(text),
  },
  {
    what: "a path",
    announces: (hint, word) => hint.kind === "path" && /^(?:path|file|filename|script)$/.test(word),
    isOther: (text) => /^[\d.,]+$/.test(text),
  },
  {
    what: "a name",
    announces: (hint) =>
      hint.kind === "word" && /^\W*(?:the )?name of (?:the|a|an)\b/i.test(hint.description),
    isOther: (text) => /^[-+]?\d+(?:\.\d+)?$/.test(text),
  },
  {
    what: "a severity",
    announces: (_hint, word) => /^(?:severity|level)$/.test(word),
    // The level of a release is another one.
    isOther: (text) => /[/\\]|\w\.\w|\s\S+\s/.test(text) && !/^\d+(?:\.\d+)+$/.test(text),
  },
];

/** Doubts about parts of another kind than announced. */
export function otherKinds(part: Part): string[] {
  const word = wordsOf(part.hint.name).at(-1) ?? "";
  for (const { what, announces, isOther } of ANNOUNCED) {
    if (!announces(part.hint, word, part.isValue)) continue;
    const odd = part.filled.filter(({ text }) => isOther(text));
    if (odd.length > part.filled.length * 0.3)
      return [`the ${part.name} is announced as ${what}, and reads: ${odd[0]?.text ?? ""}`];
  }
  return [...cutAddress(part), ...otherForm(part), ...link(part)];
}

/** Most texts are addresses, and one is nothing but the first group of one. */
function cutAddress({ filled, name }: Part): string[] {
  const whole = filled.filter(({ text }) =>
    /^\d{1,3}(?:\.\d{1,3}){3}$|^[\da-f]{0,4}:[\da-f:]*:[\da-f]*$/i.test(text),
  );
  const odd = filled.find(({ text }) => /^[\da-f]{1,4}$/i.test(text));
  return odd === undefined || whole.length < filled.length * 0.4
    ? []
    : [`the ${name} is an address in most records, and reads: ${odd.text}`];
}

const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The page shows a bare address, and a port is read with it. */
function otherForm({ hint, filled, name }: Part): string[] {
  const shown = hint.literals.map((one) => one.trim()).filter((one) => one !== "");
  const [longer, ...more] = filled.filter(({ text }) => /^\d{1,3}(?:\.\d{1,3}){3}[:/#]\d+$/.test(text));
  const isBare = shown.length > 0 && shown.every((one) => ADDRESS.test(one));
  return !isBare || longer === undefined || (more.length + 1) * 2 <= filled.length
    ? []
    : [`the page shows ${shown[0] ?? ""} for the ${name}, and it reads: ${longer.text}`];
}

/** A link where the page speaks of none. */
function link({ hint, filled, name }: Part): string[] {
  const said = /link|url|uri|addr|site|page|web|http|referen|referer|source|target|location|repo|endpoint/i;
  const links = filled.filter(({ text }) => /^https?:\/\/\S+$/.test(text));
  const isSaid = said.test(`${hint.name} ${hint.description} ${hint.literals.join(" ")}`);
  return links.length < filled.length * 0.5 || links.length === 0 || isSaid
    ? []
    : [`a link stands in the ${name}, of which the page says nothing: ${links[0]?.text ?? ""}`];
}
