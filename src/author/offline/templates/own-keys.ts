// A key right in front of a part that it names (`TYPE=136` for the type) is what finds the part: it never varies, whatever else does.

import { similarity } from "../page/names.ts";
import type { Slot, TemplateOptions } from "./template.ts";

const KEY = /([A-Za-z][\w.-]*)[=:]\s*["'([<]?$/;

/** The options with these keys as they stand. */
export function keepingKeys(line: string, slots: readonly Slot[], options: TemplateOptions): TemplateOptions {
  const { loose, pieces, absent } = options;
  const isOpen = loose.size > 0 || pieces !== undefined || absent !== undefined;
  if (!isOpen) return options;
  const keys = slots.flatMap(({ hint, span }) => {
    const match = KEY.exec(line.slice(0, span.start));
    const names = match !== null && similarity(match[1] ?? "", hint.name) >= 0.7;
    return names ? [{ start: match.index, end: match.index + (match[1] ?? "").length }] : [];
  });
  if (keys.length === 0) return options;
  const isBeside = (one: { start: number; end: number }): boolean =>
    !keys.some(({ start, end }) => one.start < end && one.end > start);
  return {
    ...options,
    loose: new Set([...loose].filter((at) => !keys.some(({ start }) => start === at))),
    ...(pieces === undefined ? {} : { pieces: pieces.filter(isBeside) }),
    ...(absent === undefined ? {} : { absent: absent.filter(isBeside) }),
  };
}
