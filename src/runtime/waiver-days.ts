// Waivers with an end date (YYYY-MM-DD): a waiver is valid until the end of that day in the local time zone.
import type { NormalizedConfig } from "../contract/config.ts";

/** Whether a text is a calendar day, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** The day of a moment in the local time zone, YYYY-MM-DD. */
export function dayOf(moment: Date): string {
  const pad = (n: number): string => String(n).padStart(2, "0");
  return `${String(moment.getFullYear()).padStart(4, "0")}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;
}

export interface EndedWaiver {
  pattern: string;
  reason: string;
  until: string;
}

/** Separates the waivers that ended before a day from the config. The checker type does not change. */
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
