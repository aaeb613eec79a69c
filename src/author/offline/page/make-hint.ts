// One value or field of a page, made of its name and what the page says about it: the texts it shows for it, the texts
// it may have, the kind of text, whether it may be missing.

import { plainCuts } from "./cuts.ts";
import { kindOf } from "./names.ts";
import { mayBeMissing } from "./optional.ts";
import type { Hint } from "./page.ts";
import { quotedIn, splitList } from "./text.ts";

/** A quoted text behind such words stands beside the part, not in it. */
const RELATION =
  /\b(?:between|after|before|behind|below|above|under|beneath|follow\w*|up to|until|and|not|without|of|start(?:s|ing)? with|begin(?:s|ning)? with|end(?:s|ing)? (?:with|in)|except)\s+(?:the |a |an |its )?(?:(?:first|second|third|last|final|next|closing|opening) )?(?:word |text |literal |frame |line |row |key |header |tag |entry )?$/i;

/** "between the number (`*88`) and ...": the text is a border as well. */
const BORDER = /\bbetween\s+(?:the |its )?[a-z][a-z ]{0,30}\($/i;

/** A hint of what the page calls it and says about it. */
export function makeHint(name: string, said: string): Hint {
  // "for the short form `x` (weekly) instead".
  const description = plainCuts(said.replace(/(?<=\))\s+instead\b/, ""));
  const inner = /^\((.*)\)/s.exec(description)?.[1] ?? description;
  const literals = quotedIn(description)
    .filter(
      (span) =>
        !RELATION.test(description.slice(0, span.start)) && !BORDER.test(description.slice(0, span.start)),
    )
    // "It begins with the name of a task (`$a`, `$b`)"; "from the column `x` (not the path in `y`)".
    .filter(({ start }) => {
      const before = description.slice(0, start);
      return (
        !/\b(?:begins?|starts?|opens?|ends?) with\b[^.;`"]*\((?:`[^`]+`, |`[^`]+` or )*$/i.test(before) &&
        !/\b(?:columns?|fields?|keys?|headings?|headers?|attributes?|elements?|members?)\s+$/i.test(before) &&
        !/\bnot [\w ]*\b(?:in|from|under|of)\s+$/i.test(before) &&
        !/\b(?:gives?|names?|lists?|reports?|shows?|calls?|stands?|named|listed|reported) (?:as|under)\s+$/i.test(
          before,
        )
      );
    })
    // "from `user=`": the key in front of the part.
    .filter(
      (span) =>
        !(
          /^[\w.-]+[=:]$/.test(span.text) &&
          /\b(?:from|in|of|with|under|key)\s*[`"]?$/i.test(description.slice(0, span.start + 1))
        ),
    )
    .map((span) => span.text);
  const alone = /(?:^|\s)\(([^\s(),]+)\)/.exec(description);
  const isBorder =
    alone !== null && BORDER.test(description.slice(0, alone.index + alone[0].indexOf("(") + 1));
  const single = isBorder ? undefined : alone?.[1];
  if (single !== undefined && literals.length === 0 && looksLiteral(single))
    literals.push(single.replace(/`/g, ""));
  // "(tty1, pts/0)": examples, nothing else.
  const several = /(?:^|\s)\(([^()`"]+)\)/.exec(description)?.[1]?.split(/,\s+|\s+or\s+/) ?? [];
  if (several.length > 1 && literals.length === 0 && several.every((one) => /^\S*\d\S*$/.test(one)))
    literals.push(...several);
  // "(imap-login, pop3-login ...)": some of the texts that it may have.
  const open =
    /(?:^|\s)\((?:e\.g\.,? |for example,? |such as |like )?([^()`"]+?),?(?: and so on| etc\.?|,? ?(?:\.{3}|…))\)/i.exec(
      description,
    )?.[1];
  const some = open?.split(/,\s+|\s+or\s+/) ?? [];
  if (
    some.length > 1 &&
    literals.length === 0 &&
    some.every((one) => /^[\w/#*+.:-]+(?: [A-Z]\w*)?$/.test(one))
  )
    literals.push(...some);
  const here = /\bhere ([^\s(),`]+)/.exec(description)?.[1];
  if (here !== undefined && literals.length === 0 && looksLiteral(here)) literals.push(here);
  // "(the number of the device it belongs to, 0403:6001)"
  const last = /[,:]\s+([^\s,()`"]+)$/.exec(inner)?.[1];
  if (last !== undefined && literals.length === 0 && (/\d/.test(last) ? looksLiteral(last) : isCoined(last)))
    literals.push(last);
  // "(eth1; `all` counts as one as well)"
  const lead = /^\(([^\s(),;:`"]+)[,;]\s/.exec(description)?.[1];
  if (lead !== undefined && (/\d/.test(lead) ? looksLiteral(lead) : isCoined(lead))) literals.unshift(lead);
  literals.push(...sampled(description, literals));
  const bracketed = [...description.matchAll(/\(([^()]*)\)/g)].map((match) => readChoices(match[1] ?? ""));
  // "(setup or hold, first word in the brackets)": the texts first, then where they stand.
  const first = /^[^,;]+\bor\b[^,;]+(?=[,;])/.exec(inner)?.[0] ?? "";
  // "Which is the word behind the colon, On or Off".
  const ends =
    /\b(?:word|text|flag|state|letter|verdict)\b[^,;()]*,\s*((?:`[^`]+`|[A-Z]\w*)(?:,? or |, )(?:`[^`]+`|[A-Z]\w*))\s*\.?$/.exec(
      inner,
    )?.[1];
  const behind = ends === undefined ? [] : readChoices(ends.replace(/, (?!or )/, " or "));
  // "(which of the two addresses, Start or Finish)": the texts last.
  const final = /(?:^|\()which\b[^,;:]*[,;:]\s+([^,;:]+\bor\b[^,;:]+)$/i.exec(inner)?.[1] ?? "";
  const listed = [
    oneOf(description),
    readChoices(inner),
    ...bracketed,
    readChoices(first),
    behind,
    readChoices(final),
  ];
  // "one of ACCESS DENIED, LEAK, POSSIBLE LEAK": names in capitals.
  const capitals = /\bone of ((?:[A-Z][A-Z_]+(?: [A-Z][A-Z_]+)*(?:,? or |, |$|(?=[.;)]))){2,})/.exec(
    description,
  )?.[1];
  if (capitals !== undefined) listed.push(capitals.split(/,? or |, /).filter((one) => one !== ""));
  const choices = (listed.find((one) => one.length > 0) ?? []).filter((one) => !PLACED.test(one));
  return {
    name,
    description,
    literals,
    choices,
    kind: kindIn(name, description, choices),
    optional: mayBeMissing(said),
    wholeLine:
      /\b(?:whole|entire|full|complete)\b[^,.;]{0,30}(?<!\bcommand )\bline\b|^\s*(?:that|the) line\b|\b(?:exactly )?(?:as the line (?:reads|stands|is)|the line as it (?:reads|stands|is))\b/i.test(
        description,
      ),
    basename:
      /\b(?:only|just|bare|plain) (?:the |its )?(?:bare |plain )?file ?name\b|\bfile name (?:only|alone)\b|\blast (?:path )?component\b|\bbase ?name\b|\bwithout (?:the |its )?(?:directory|directories|path|folder)/i.test(
        description,
      ),
  };
}

/** "E.g. `x`", "such as net_12 or t45", without quotes: texts that no page makes up for its prose. */
function sampled(description: string, known: readonly string[]): string[] {
  const [, sample, second] =
    /\b(?:for instance|for example|e\.g\.|such as),? ([^\s,;()`"]+)(?:,? (?:or|and) ([^\s,;()`"]+))?/i.exec(
      description,
    ) ?? [];
  const isShown =
    sample !== undefined &&
    known.length === 0 &&
    (/[\d_]|^[A-Z]{2,}\.?$/.test(sample) || isCoined(sample)) &&
    (looksLiteral(sample.replace(/^\w*_\w*\.?$/, "`")) || isCoined(sample));
  if (!isShown) return [];
  const both = second !== undefined && /^[A-Za-z][\w-]*\d[\w-]*\.?$/.test(second);
  return [sample, ...(both ? [second] : [])].map((one) => one.replace(/\.$/, ""));
}

/** "second" is the place of a part, not its text. */
const PLACED = /^(?:first|second|third|fourth|fifth|sixth|last|optional|any|none)$/i;

/** The kind of text, where neither the texts that it may have nor its unit say something else. */
function kindIn(name: string, description: string, choices: readonly string[]): Hint["kind"] {
  const kind = kindOf(name, description);
  const isAmount = kind === "time" || kind === "number";
  if (isAmount && choices.length > 1 && choices.every((one) => /^[A-Za-z][A-Za-z_-]*$/.test(one)))
    return "word";
  if (
    kind === "time" &&
    /\bin (?:whole |full )?(?:(?:milli|micro|nano)?seconds|[mun]?s|minutes|hours|days)\b/i.test(description)
  )
    return "number";
  return kind;
}

/** A word that no page makes up for its prose: `LateArrival`, `$task`. */
function isCoined(text: string): boolean {
  return /^[A-Z]?[a-z]+\d*(?:[A-Z][a-z\d]+)+\.?$|^\$\w+$/.test(text);
}

function looksLiteral(text: string): boolean {
  return (
    /[\d:_/=.-]/.test(text) || /^[A-Z]{1,12}$/.test(text) || /^`/.test(text) || /^[A-Z][a-z]+$/.test(text)
  );
}

/** "that is one of OPEN ACCESS, LEAK, POSSIBLE LEAK": all texts that a part may have, of several words each. */
export function oneOf(text: string): string[] {
  const list =
    /\bone of (?:the (?:following|words|texts|names)[:,]? )?((?:`[^`]+`|"[^"]+"|[A-Z][\w-]*)[^.;()]*)/.exec(
      text,
    )?.[1] ?? "";
  const parts = splitList(list).map((part) => part.replace(/^[`"]|[`"]$/g, ""));
  return parts.length >= 2 && parts.every((part) => /^[A-Z][\w-]*(?: [A-Z][\w-]*){0,3}$/.test(part))
    ? parts
    : [];
}

/** "DRC, LVS or Antenna" and "`a` or `b`", but no longer prose. */
function readChoices(text: string): string[] {
  const body = text.replace(
    /^\W*(?:(?:one of|either|e\.g\.|(?:which|that) (?:is|are|says?|reads?|can be|may be)|(?:it|this) is)\s+)+/i,
    "",
  );
  if (/^[A-Za-z]+\/[\d.]+\b|^\S*\/\S*\.\w+$/.test(body)) return [];
  if (!/\bor\b|\/|\|/.test(body) && !/^\s*`[^`]+`\s*,/.test(body)) return [];
  const raw = splitList(
    body.replace(/\s*[/|]\s*/g, /\s/.test(body.replace(/\s*[/|]\s*/g, "|")) ? "/" : ", "),
  ).map((part) => part.replace(/^or\s+/, "").trim());
  const parts = raw.map((part) => part.replace(/^[`"']|[`"']$/g, "").trim());
  // `"unknown user" or "wrong password"`: quoted texts may have several words.
  const areQuoted = raw.every((part) => /^(?:`[^`]+`|"[^"]+")$/.test(part) && part.split(/\s+/).length <= 4);
  // "Warning or Critical Warning": names in capitals may have several words.
  const isText = (part: string): boolean => /^[^\s]{1,30}$|^[A-Z]\w*(?: [A-Z]\w*){1,2}$/.test(part);
  // "(v4 or v6)" says which kinds of address there are.
  if (parts.every((part) => /^(?:ip ?)?v?[46]$/i.test(part))) return [];
  return parts.length >= 2 && (areQuoted || parts.every(isText)) ? parts : [];
}
