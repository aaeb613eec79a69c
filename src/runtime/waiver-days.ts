// Waivers that end: a day is written YYYY-MM-DD, and the waiver holds until that day is over where the check runs.
import type { NormalizedConfig } from "../contract/config.ts";

/** Is this a day of the calendar, written YYYY-MM-DD? */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The day of a moment where the program runs. */
export function dayOf(moment: Date): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${String(moment.getFullYear()).padStart(4, "0")}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

export interface EndedWaiver {
  pattern: string;
  reason: string;
  until: string;
}

/** The config without the waivers that ended before a day, and those. The checker type stays. */
export function withoutEnded(
  config: NormalizedConfig,
  today: string,
): { config: NormalizedConfig; ended: EndedWaiver[] } {
  const { waive_items: items, waive_reasons: reasons, waive_until: ends } = config.waivers;
  const isOver = (i: number): boolean => (ends[i] ?? today) < today;
  const ended = items.flatMap((pattern, i) =>
    isOver(i) ? [{ pattern, reason: reasons[i] ?? "N/A", until: ends[i] ?? "" }] : [],
  );
  if (ended.length === 0) return { config, ended };
  const waivers = {
    value: config.waivers.value,
    waive_items: items.filter((_, i) => !isOver(i)),
    waive_reasons: reasons.filter((_, i) => !isOver(i)),
    waive_until: ends.filter((_, i) => !isOver(i)),
  };
  return { config: { ...config, waivers }, ended };
}
