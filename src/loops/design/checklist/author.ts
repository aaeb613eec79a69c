// The stages that create and verify atoms: `author` runs the item loop for items that are not up to date, `gates` checks
// that each set is the one that was proved. Both are reused from an earlier run only while the sets are unchanged.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalHash } from "../../../core/canonical.ts";
import { verifyAtomSetSync } from "../../../runtime/atom-set.ts";
import type { Stage } from "../pipeline/types.ts";
import type { Failure } from "../schemas.ts";
import { type AuthoredItem, type Checklist, enabledItems } from "./services.ts";
import { readSpec } from "./spec.ts";
import { jsonFile, outcome, writeStage } from "./stage-files.ts";

const SETS_FILE = "sets.json";

export function authorStage(checklist: Checklist): Stage {
  const { author } = checklist.services;
  return {
    name: "author",
    inputsHash: async ({ spec, before }) =>
      canonicalHash({
        stage: "author",
        settings: author.settings(checklist.paths(readSpec(spec))),
        before: [...before],
      }),
    isReusable: (folder) => sameSets(checklist, folder),
    run: async ({ spec, out, signal }) => {
      const read = readSpec(spec);
      const wanted = enabledItems(read);
      const pages = new Map(wanted.map(([id, item]) => [id, checklist.pageOf(item)]));
      const usable = wanted.filter(([id]) => isReadable(pages.get(id) ?? ""));
      const authored =
        usable.length === 0
          ? []
          : await author.author(
              usable.map(([id]) => pages.get(id) ?? ""),
              checklist.paths(read),
              signal,
            );
      const byId = new Map(authored.map((result) => [result.item, result]));
      const items = wanted.map(
        ([id]): AuthoredItem =>
          byId.get(id) ?? {
            item: id,
            status: "error",
            message: "the page of this item is unreadable or has errors",
          },
      );
      const failures = items
        .filter(({ status }) => status !== "accepted")
        .map(({ item, message }): Failure => ({ name: item, reason: message }));
      const metrics = { items: items.length, accepted: items.length - failures.length };
      const sets = setHashes(
        checklist,
        wanted.map(([id]) => id),
      );
      return writeStage(out, outcome(failures, metrics), { "items.json": { items }, [SETS_FILE]: { sets } });
    },
  };
}

export function gatesStage(checklist: Checklist): Stage {
  return {
    name: "gates",
    inputsHash: async ({ before }) => canonicalHash({ stage: "gates", before: [...before] }),
    isReusable: (folder) => sameSets(checklist, folder),
    run: async ({ spec, out }) => {
      const wanted = enabledItems(readSpec(spec)).map(([id]) => id);
      const items = wanted.map((id) => ({ item: id, ...proofOf(checklist.setOf(id)) }));
      const failures = items.flatMap(({ item, problem }): Failure[] =>
        problem === null ? [] : [{ name: item, reason: problem }],
      );
      const metrics = { items: items.length, proved: items.length - failures.length };
      const sets = setHashes(checklist, wanted);
      return writeStage(out, outcome(failures, metrics), { "items.json": { items }, [SETS_FILE]: { sets } });
    },
  };
}

/** The gates that a set passed according to its manifest, and why it must not be used, if so. */
function proofOf(dir: string): { gates: Record<string, boolean | null>; problem: string | null } {
  const set = verifyAtomSetSync(dir);
  if (set === undefined) return { gates: {}, problem: "no atom set" };
  if (set.state === "no_manifest") return { gates: {}, problem: "the atom set has no manifest" };
  if (set.state === "bad_manifest") return { gates: {}, problem: `the manifest ${set.problem}` };
  const { gates } = set.manifest;
  const failed = Object.entries(gates).flatMap(([name, passed]) => (passed === false ? [name] : []));
  if (set.state === "stub")
    return {
      gates,
      problem: failed.length === 0 ? "needs review" : `needs review: ${failed.join(", ")} failed`,
    };
  if (set.state === "modified")
    return { gates, problem: `changed since it was proved: ${set.changed.join(", ")}` };
  return { gates, problem: failed.length === 0 ? null : `failed: ${failed.join(", ")}` };
}

/** One hash over the files of each set; null where there is no set. */
export function setHashes(checklist: Checklist, ids: readonly string[]): Record<string, string | null> {
  return Object.fromEntries(ids.map((id) => [id, setHash(checklist.setOf(id))]));
}

function setHash(dir: string): string | null {
  const set = verifyAtomSetSync(dir);
  if (set === undefined) return null;
  return canonicalHash({ ...set.sources, state: set.state, manifest: manifestText(dir) });
}

function manifestText(dir: string): string {
  try {
    return readFileSync(join(dir, "manifest.json"), "utf8");
  } catch {
    return "";
  }
}

/** Whether the sets are unchanged since the stage finished. */
function sameSets(checklist: Checklist, folder: string): boolean {
  const { sets } = jsonFile<{ sets: Record<string, string | null> }>(join(folder, SETS_FILE)) ?? {
    sets: { "": "" },
  };
  return Object.entries(sets).every(([id, hash]) => setHash(checklist.setOf(id)) === hash);
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}
