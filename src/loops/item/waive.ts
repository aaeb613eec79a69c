// Adds or removes a waiver: the config of an accepted set changes, its atoms do not, and no author is called. The
// effect on the logs is shown first; the config gates decide whether the change may be written.
import { basename, dirname } from "node:path";
import type { GateFinding } from "../../contract/gates.ts";
import type { GivenWaiver, Manifest } from "../../contract/manifest.ts";
import type { Outcome, ResultItem } from "../../contract/results.ts";
import { AtomsmithError } from "../../core/errors.ts";
import { runConfigGates } from "../../gates/config-only.ts";
import { findSpec } from "../../gates/set-context.ts";
import { verifyAtomSet } from "../../runtime/atom-set.ts";
import { checkAtomSet } from "../../runtime/check-set.ts";
import type { CheckedSet, CheckOptions, CheckServices } from "../../runtime/check-types.ts";
import { type WaiverEntry, waiverOverrides, waiversOf } from "../../runtime/edit-waivers.ts";
import { applyOverrides } from "../../runtime/override.ts";
import { readItemConfig } from "../../runtime/read-config.ts";
import { logicSlice } from "../../spec/index.ts";
import { OutputStore } from "./output-store.ts";

export type WaiverChange = { add: GivenWaiver } | { remove: string };

export interface WaiverSet {
  dir: string;
  itemId: string;
  manifest: Manifest;
  config: string;
  waivers: WaiverEntry[];
}

/** Effect of a change, and everything needed to write it. */
export interface WaiverPlan {
  set: WaiverSet;
  config: string;
  given: GivenWaiver[];
  before: Outcome;
  after: Outcome;
  /** Violations that become waived, or that reappear. */
  records: ResultItem[];
  /** The waiver matches nothing in these logs. */
  unmatched: boolean;
  errors: GateFinding[];
  /** Why the logs could not be checked with the change; null when they were. */
  diagnosis: string | null;
}

/** Reads an accepted set. Throws kind `usage` for anything else, `config` when its config cannot be read. */
export async function readWaiverSet(dir: string): Promise<WaiverSet> {
  const set = await verifyAtomSet(dir);
  const itemId = "manifest" in set ? set.manifest.item_id : basename(dir);
  if (set.state !== "accepted") {
    throw new AtomsmithError("usage", `${itemId} has no accepted set in ${dir} (${set.state})`, {
      where: dir,
      hint: "waivers need an accepted set; atomsmith status shows the state",
    });
  }
  const reading = readItemConfig(set.sources.config, "handwritten");
  if (!reading.ok) {
    throw new AtomsmithError(
      "config",
      `the config of ${itemId} cannot be read: ${reading.problems[0]?.message}`,
      {
        where: dir,
      },
    );
  }
  if (reading.config.waivers.value === 0) {
    throw new AtomsmithError("usage", `${itemId} waives every violation (waivers.value is 0)`, {
      where: dir,
      hint: "edit the page: single waivers need a page that does not waive everything",
    });
  }
  const { manifest, sources } = set;
  return { dir, itemId, manifest, config: sources.config, waivers: waiversOf(reading.config) };
}

/** Evaluates a change on the logs and with the config gates, without writing. Throws kind `usage` when the waiver to
 * add exists or the waiver to remove does not. */
export async function planWaiver(
  set: WaiverSet,
  change: WaiverChange,
  specsDir: string,
  options: CheckOptions,
  services: CheckServices,
): Promise<WaiverPlan> {
  const { waivers, given } = applyChange(set, change);
  const overrides = waiverOverrides(waivers);
  const config = applyOverrides(set.config, overrides);
  const before = await checkAtomSet(set.dir, { ...options, outdated: true }, services);
  const after = await checkAtomSet(set.dir, { ...options, outdated: true, overrides }, services);
  const spec = await findSpec(set.dir, set.itemId, specsDir, set.manifest.spec);
  const page = { spec, check: spec === undefined ? null : logicSlice(spec).check };
  const waived = given.map(({ pattern }) => pattern);
  const gates = await runConfigGates({ source: config, page, waived, items: after.items }, services.sandbox);
  const pattern = "add" in change ? change.add.pattern : change.remove;
  const records = "add" in change ? waivedBy(after, pattern) : waivedBy(before, pattern);
  return {
    set,
    config,
    given,
    before: before.result.outcome,
    after: after.result.outcome,
    records,
    unmatched: after.result.result !== null && "add" in change && records.length === 0,
    errors: gates.errors,
    diagnosis: after.result.diagnostics.find(({ severity }) => severity === "error")?.message ?? null,
  };
}

/** Writes a planned change. Throws kinds `usage` (the set was changed or is locked) and `store`. */
export async function writeWaiver(plan: WaiverPlan): Promise<void> {
  const { set } = plan;
  const output = await OutputStore.open(dirname(set.dir), basename(set.dir));
  try {
    const current = await readWaiverSet(set.dir);
    if (current.config !== set.config) {
      throw new AtomsmithError(
        "usage",
        `the config of ${set.itemId} changed meanwhile; nothing was written`,
        {
          where: set.dir,
          hint: "run the same command again",
        },
      );
    }
    await output.writeWaivers(plan.config, plan.given);
  } finally {
    await output.close();
  }
}

function applyChange(set: WaiverSet, change: WaiverChange): { waivers: WaiverEntry[]; given: GivenWaiver[] } {
  const given = set.manifest.waivers ?? [];
  if ("add" in change) {
    const { pattern, reason, until } = change.add;
    if (set.waivers.some((waiver) => waiver.pattern === pattern)) {
      throw new AtomsmithError("usage", `${set.itemId} already has the waiver ${JSON.stringify(pattern)}`, {
        hint: "remove it first with atomsmith waive remove",
      });
    }
    return { waivers: [...set.waivers, { pattern, reason, until }], given: [...given, change.add] };
  }
  const remaining = set.waivers.filter(({ pattern }) => pattern !== change.remove);
  if (remaining.length === set.waivers.length) {
    const known = set.waivers.map(({ pattern }) => JSON.stringify(pattern)).join(", ");
    throw new AtomsmithError("usage", `${set.itemId} has no waiver ${JSON.stringify(change.remove)}`, {
      hint: known === "" ? "it has no waivers" : `its waivers: ${known}`,
    });
  }
  return { waivers: remaining, given: given.filter(({ pattern }) => pattern !== change.remove) };
}

function waivedBy(set: CheckedSet, pattern: string): ResultItem[] {
  const waived = set.result.result?.waived ?? [];
  return waived.filter(
    (entry): entry is ResultItem => entry.tag === "[WAIVER]" && entry.waiver_pattern === pattern,
  );
}
