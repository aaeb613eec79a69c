// The place in a source that a message is about: file, line and column. Tools print it where there is one; messages about the whole
// run have none, and every reader knows that.

import type { Hint } from "../page/page.ts";

const PLACE =
  /^(?:source_|src_)?(?:file|file_?name|path|source|line|line_?(?:number|no)|lineno|row|col|column|position|location)$/;
const NUMBER = /^(?:source_|src_)?(?:line|line_?(?:number|no)|lineno|row|position|location)$/;

/** Is the part one of such a place? */
export function isLocation({ name }: Pick<Hint, "name">): boolean {
  return PLACE.test(name);
}

/** Are these parts together such a place, the line among them? */
export function areLocation(hints: readonly Pick<Hint, "name">[]): boolean {
  return hints.length > 1 && hints.every(isLocation) && hints.some(({ name }) => NUMBER.test(name));
}
