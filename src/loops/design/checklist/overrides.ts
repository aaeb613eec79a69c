// Overrides of an item's own requirements and waivers by the spec: their author and date, and expired waivers.
import type { Diagnostic } from "../../../contract/results.ts";
import { canonicalJson } from "../../../core/canonical.ts";
import type { JsonValue } from "../../../core/json.ts";
import type { ConfigOverride } from "../../../runtime/override.ts";
import { pointerOf, valueAt } from "../patches.ts";
import type { Version } from "../schemas.ts";
import type { SpecItem } from "./spec.ts";

/** The origin of a part of the spec. */
export interface Provenance {
  /** null: the first spec, a manual edit, or an undo. */
  patch_id: string | null;
  person: string;
  /** Day, UTC. */
  date: string;
  version: number;
}

export interface WaiverOverride extends Provenance {
  pattern: string;
  reason: string;
  until: string | null;
  /** Expired: its last day is over. */
  ended: boolean;
}

/** The overrides of one item, for reports. */
export interface ItemOverrides {
  requirements:
    | (Provenance & { value: JsonValue; pattern_items: string[]; expect?: string; extra?: string })
    | null;
  waivers: WaiverOverride[] | null;
}

interface Waiver {
  pattern: string;
  reason: string;
  until: string | null;
}

/** The waivers of an item in the spec, in order; undefined if the spec has none for it. */
export function waiversOf({ waivers }: SpecItem): Waiver[] | undefined {
  if (waivers === undefined) return undefined;
  return Object.entries(waivers).map(([pattern, entry]) =>
    typeof entry === "string"
      ? { pattern, reason: entry, until: null }
      : { pattern, reason: entry.reason, until: entry.until ?? null },
  );
}

/** Whether a waiver has expired. @param today YYYY-MM-DD, UTC */
export function hasExpired({ until }: { until: string | null }, today: string): boolean {
  return until !== null && until < today;
}

/** The parts of the item's config that the spec replaces, without expired waivers. */
export function configOverrides(item: SpecItem, today: string): ConfigOverride[] {
  const overrides: ConfigOverride[] = [];
  const replaceSection = (section: string, value: unknown): void => {
    overrides.push({ path: [section], text: JSON.stringify(value) });
  };
  if (item.requirements !== undefined)
    replaceSection("requirements", { ...item.requirements, value: item.requirements.value ?? "N/A" });
  const waivers = waiversOf(item)?.filter((waiver) => !hasExpired(waiver, today));
  if (waivers !== undefined) {
    replaceSection("waivers", {
      value: waivers.length === 0 ? "N/A" : waivers.length,
      waive_items: waivers.map(({ pattern }) => pattern),
      waive_reasons: waivers.map(({ reason }) => reason),
    });
  }
  return overrides;
}

/** The origin of a part of the current spec: the version that last changed it. */
export function provenanceOf(versions: readonly Version[], tokens: readonly string[]): Provenance {
  const pointer = pointerOf(tokens);
  let from = versions[0];
  let last: string | undefined;
  for (const version of versions) {
    const value = valueAt(version.spec, pointer);
    const text = value === undefined ? undefined : canonicalJson(value);
    if (text !== last) from = version;
    last = text;
  }
  return {
    patch_id: from?.patch_id ?? null,
    person: from?.created_by ?? "",
    date: from?.created_at.slice(0, 10) ?? "",
    version: from?.version ?? 0,
  };
}

/** The overrides of an item; undefined if there are none. @param versions oldest first, up to the checked spec */
export function overridesOf(
  id: string,
  item: SpecItem,
  versions: readonly Version[],
  today: string,
): ItemOverrides | undefined {
  const waivers = waiversOf(item);
  const { requirements } = item;
  if (waivers === undefined && requirements === undefined) return undefined;
  return {
    requirements:
      requirements === undefined
        ? null
        : {
            value: requirements.value ?? "N/A",
            pattern_items: requirements.pattern_items,
            ...(requirements.expect === undefined ? {} : { expect: requirements.expect }),
            ...(requirements.extra === undefined ? {} : { extra: requirements.extra }),
            ...provenanceOf(versions, ["items", id, "requirements"]),
          },
    waivers:
      waivers?.map((waiver) => ({
        ...waiver,
        ended: hasExpired(waiver, today),
        ...provenanceOf(versions, ["items", id, "waivers", waiver.pattern]),
      })) ?? null,
  };
}

/** The overrides as remarks, which every report shows with the verdict. */
export function remarksOf({ requirements, waivers }: ItemOverrides): Diagnostic[] {
  const remarks: Diagnostic[] = [];
  if (requirements !== null) {
    const { value, pattern_items } = requirements;
    const patterns = pattern_items.length === 0 ? "" : ` (${pattern_items.join(", ")})`;
    const message = `The spec replaces the requirements: value ${value}${patterns}; ${describeSource(requirements)}.`;
    remarks.push({ severity: "info", code: "spec_requirements", message });
  }
  if (waivers?.length === 0) {
    remarks.push({ severity: "info", code: "spec_waiver", message: "The spec removes all waivers." });
  }
  for (const waiver of waivers ?? []) {
    const what = `${JSON.stringify(waiver.pattern)}: ${waiver.reason}`;
    if (waiver.ended) {
      const message = `The waiver ${what} ended on ${waiver.until} and does not count; ${describeSource(waiver)}.`;
      remarks.push({ severity: "warning", code: "waiver_ended", message });
    } else {
      const until = waiver.until === null ? "" : ` (until ${waiver.until})`;
      remarks.push({
        severity: "info",
        code: "spec_waiver",
        message: `The spec waives ${what}${until}; ${describeSource(waiver)}.`,
      });
    }
  }
  return remarks;
}

function describeSource({ patch_id, person, date, version }: Provenance): string {
  return `${patch_id === null ? `version ${version}` : `patch ${patch_id}`}, ${person}, ${date}`;
}
