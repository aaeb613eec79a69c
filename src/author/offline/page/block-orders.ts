// Lists that name the parts of the lines of a block, in the sentences in front of it: "an entry has a line with plug-in, code and
// time, and below it the message", "the first one gives the place and the step, the second one the count".

import type { Order } from "./orders.ts";

/** Where such a sentence goes over to another line of the block. */
const NEXT_LINE =
  /[,;:]?\s+(?:(?:and|then|followed by|while)\s+)*(?:(?:right |directly )?(?:below|under|beneath|underneath)(?:\s+(?:it|them|that|this|the (?:first|title|heading|header)))?,?|(?:on|in) (?:the|a) (?:next|following|second|third|last) (?:line|one),?|(?:the|a|its) (?:(?:next|following|second|third|fourth|last) (?:line|one)|(?:indented|further|other|deeper) lines?|lines? (?:below|under\w*))|(?:then|next) (?:comes? |follows? )?(?:a|one|the) (?:\w+ )?line)\s+/i;
const LINE_OF =
  /^.*?\b(?:lines?|rows?|headings?|headers?|heads?|titles?|entry|record|pair|first one|it)\b(?: (?:of (?:it|them|each|every|the block|two|three|\w+ lines)|that|which|begins|opens|starts))*,?:? (?:with|of|has|have|gives?|shows?|holds?|contains?|names?|prints?|carr(?:y|ies)|is|are)(?: (?:first|the words?))? (?!(?:its|their) own\b)(?=\S)/i;
const WITH = /^(?:.*?\b)?(?:with|has|gives?|shows?|holds?|contains?|names?) (?=\S)/i;

/** The lists of a sentence in front of a block, each of one of its lines. */
export function blockOrders(text: string, orderOf: (list: string) => Order[]): Order[] {
  const plain = text.replace(/[:：]\s*$/, "").replace(/`/g, "");
  return plain.split(new RegExp(NEXT_LINE.source, "gi")).flatMap((clause, index) => {
    const lead = (LINE_OF.exec(clause) ?? (index === 0 ? null : WITH.exec(clause)))?.[0];
    const list = lead === undefined ? (index === 0 ? "" : clause) : clause.slice(lead.length);
    // "It has a line with ...": the last such words open the list.
    const inner = LINE_OF.exec(list)?.[0] ?? "";
    return orderOf(list.slice(inner.length));
  });
}
