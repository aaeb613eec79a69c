// Reads a stored atom set and verifies that it is the one that its manifest proves.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ATOM_FILES, ATOM_PARTS, type AtomSources } from "../contract/atoms.ts";
import { type Manifest, manifestSchema } from "../contract/manifest.ts";
import { AtomsmithError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { readTextIfAny, storeError } from "../store/index.ts";

export const MANIFEST_FILE = "manifest.json";
/** Directory below an accepted set with a newer attempt that is not accepted: manifest, report and code. */
export const PENDING_DIR = "pending";
export const REPORT_FILES = ["human_intervention_report.md", "human_intervention_report.json"] as const;

/** The state of a set. Only `accepted` may run without `--unverified`; a `stub` may never run. Every file is read once, so
 * that the verified sources are those that run. */
export type AtomSetState =
  | { state: "accepted"; manifest: Manifest; sources: AtomSources }
  | { state: "stub"; manifest: Manifest; sources: AtomSources }
  | { state: "no_manifest"; sources: AtomSources }
  | { state: "bad_manifest"; problem: string; sources: AtomSources }
  | { state: "modified"; manifest: Manifest; changed: string[]; sources: AtomSources };

/**
 * The manifest of a set, or undefined when the folder has none. Throws kind `store` when it cannot be read or
 * is not a manifest that this program understands.
 */
export async function readManifest(dir: string): Promise<Manifest | undefined> {
  const path = join(dir, MANIFEST_FILE);
  const text = await readTextIfAny(path);
  if (text === undefined) return undefined;
  const manifest = parseManifest(text);
  if (typeof manifest === "string")
    throw new AtomsmithError("store", `${path}: ${manifest}`, { where: path });
  return manifest;
}

function parseManifest(text: string): Manifest | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "is not valid JSON";
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (typeof format === "number" && format > 1) return `has format ${format}, written by a newer atomsmith`;
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `is not a valid manifest: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}`.trim();
}

/**
 * Compares a folder with its manifest. A missing folder throws kind `usage`; a missing atom file is a change.
 * A set that cannot be trusted is a state, not an error.
 */
export async function verifyAtomSet(dir: string): Promise<AtomSetState> {
  const state = verifyAtomSetSync(dir);
  if (state) return state;
  throw new AtomsmithError("usage", `atom set folder ${resolve(dir)} not found`, { where: dir });
}

/** The synchronous form, faster for thousands of sets; undefined for a missing directory. */
export function verifyAtomSetSync(dir: string): AtomSetState | undefined {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const { sources, hashes } = readSources(dir);
  const text = readBytes(join(dir, MANIFEST_FILE))?.toString("utf8");
  if (text === undefined) return { state: "no_manifest", sources };
  const manifest = parseManifest(text);
  if (typeof manifest === "string") return { state: "bad_manifest", problem: manifest, sources };
  // A stub remains a stub after any edit.
  if (manifest.stub || manifest.status !== "accepted") return { state: "stub", manifest, sources };
  const changed = Object.values(ATOM_FILES).filter((name) => manifest.files[name] !== hashes[name]);
  if (changed.length > 0) return { state: "modified", manifest, changed, sources };
  return { state: "accepted", manifest, sources };
}

/** The four files as text; a missing one is the empty string and has no hash. */
function readSources(dir: string): { sources: AtomSources; hashes: Record<string, string> } {
  const sources: AtomSources = { atom_a: "", atom_b: "", atom_c: "", config: "" };
  const hashes: Record<string, string> = {};
  for (const part of ATOM_PARTS) {
    const name = ATOM_FILES[part];
    const bytes = readBytes(join(dir, name));
    if (bytes === undefined) continue;
    hashes[name] = sha256(bytes);
    sources[part] = bytes.toString("utf8");
  }
  return { sources, hashes };
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw storeError(error, path);
  }
}

/**
 * Path of the page if it changed since the set in `dir` was accepted, otherwise undefined. A page that no longer exists at
 * its path is judged by the mark that the last batch left in the manifest. Never throws.
 */
export function outdatedPage(manifest: Manifest, dir: string): string | undefined {
  const path = resolve(dir, manifest.spec.path);
  const hash = hashIfReadable(path);
  if (hash !== undefined) return hash === manifest.spec.sha256 ? undefined : path;
  return manifest.outdated?.path;
}

function hashIfReadable(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** The manifest of `pending/`, or undefined when there is none. */
export function pendingManifest(dir: string): Manifest | undefined {
  const text = readBytes(join(dir, PENDING_DIR, MANIFEST_FILE))?.toString("utf8");
  const manifest = text === undefined ? undefined : parseManifest(text);
  return typeof manifest === "string" ? undefined : manifest;
}

/** Path of the intervention report of an item, next to its stubs or in `pending/` of an accepted set. */
export function reportPath(dir: string): string {
  const pending = join(dir, PENDING_DIR, REPORT_FILES[0]);
  return existsSync(pending) ? pending : join(dir, REPORT_FILES[0]);
}

/** The four files of a set as text, not verified. */
export async function readAtomSources(dir: string): Promise<AtomSources> {
  return readSources(dir).sources;
}
