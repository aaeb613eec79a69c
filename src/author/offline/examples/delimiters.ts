// Marks that delimit the parts and gaps of a template.
import type { Element } from "./template.ts";

/** Is a text a run of at least three equal marks? */
export function isRun(text: string): boolean {
  return text.length > 2 && !/[\p{L}\p{N}\s]/u.test(text) && text === text.charAt(0).repeat(text.length);
}

/** Marks directly beside a part that none of its samples contains: the part ends at them. */
export function stopsOf(elements: readonly Element[], index: number): string[] {
  const element = elements[index];
  if (element?.kind !== "part") return [];
  return [elements[index - 1], elements[index + 1]].flatMap((neighbour) => {
    if (neighbour?.kind !== "fixed" || neighbour.token !== "mark") return [];
    const mark = neighbour.text.charAt(0);
    return element.leaf.samples.some((text) => text.includes(mark)) ? [] : [mark];
  });
}

const PAIRS: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "<": ">",
  '"': '"',
  "'": "'",
  "`": "`",
};
const DELIMITERS = ["|", ";", ",", "\t"];

/** For each part or gap the mark that closes it, if it is between two equal delimiters, brackets or quotes. */
export function framesOf(elements: readonly Element[]): (string | undefined)[] {
  return elements.map((element, index) => {
    if (element.kind !== "part" && element.kind !== "gap") return undefined;
    const [before, after] = [nearestMark(elements, index, -1), nearestMark(elements, index, 1)];
    if (before === undefined || after === undefined) return undefined;
    if (before.text === after.text && DELIMITERS.includes(before.text)) return after.text;
    return PAIRS[before.text] === after.text && before.isAdjacent && after.isAdjacent
      ? after.text
      : undefined;
  });
}

/** The mark beside an element, or behind the blank beside it. */
function nearestMark(
  elements: readonly Element[],
  index: number,
  step: 1 | -1,
): { text: string; isAdjacent: boolean } | undefined {
  const adjacent = elements[index + step];
  const nearest = adjacent?.kind === "space" ? elements[index + 2 * step] : adjacent;
  return nearest?.kind === "fixed" && nearest.token === "mark"
    ? { text: nearest.text, isAdjacent: nearest === adjacent }
    : undefined;
}
