// L2, the references: which files does a record name in `parsed_fields.indirect_reference`? Contract, section 4.
import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { PathGuard } from "../files/guard.ts";

/** An input is depth 0. */
export const MAX_REFERENCE_DEPTH = 5;

/** A path as a log names it. */
export interface Reference {
  written: string;
  /** The record that names it. */
  item: ParsedItem;
}

/** The references of records in extraction order. Null and empty texts name nothing; anything else that is not a
 * text or a list of texts is a diagnosis. */
export function referencesOf(items: readonly ParsedItem[]): {
  references: Reference[];
  diagnostics: Diagnostic[];
} {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const item of items) {
    if (!Object.hasOwn(item.parsed_fields, "indirect_reference")) continue;
    const named = item.parsed_fields["indirect_reference"];
    for (const one of Array.isArray(named) ? named : [named]) {
      if (typeof one === "string") {
        if (one.trim() !== "") references.push({ written: one, item });
      } else if (one !== null && one !== undefined) {
        diagnostics.push(
          problem("reference_invalid", "indirect_reference must be a path or a list of paths.", item),
        );
      }
    }
  }
  return { references, diagnostics };
}

/** Looks a reference up in the folder of the file that names it, then under the search root. */
export async function resolveReference(
  reference: Reference,
  containingFile: string,
  guard: PathGuard,
): Promise<{ ok: true; path: string } | { ok: false; diagnostic: Diagnostic }> {
  const { written, item } = reference;
  let refused = false;
  for (const base of [dirname(containingFile), guard.root]) {
    const path = resolve(base, written);
    if (written.includes("\0")) break;
    const there = await lstat(path).catch(
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
    );
    if (there === false) continue;
    const judged = guard.resolve(path);
    if (judged.inside) return { ok: true, path: judged.path };
    refused = true;
  }
  const shown = JSON.stringify(written);
  return {
    ok: false,
    diagnostic: refused
      ? problem(
          "reference_outside_root",
          `The reference ${shown} leaves the search root; it was not read.`,
          item,
        )
      : problem(
          "reference_not_found",
          `The reference ${shown} was found neither in the folder of this file nor under the search root.`,
          item,
        ),
  };
}

export function referenceTooDeep(reference: Reference): Diagnostic {
  return problem(
    "reference_too_deep",
    `The reference ${JSON.stringify(reference.written)} would be ${MAX_REFERENCE_DEPTH + 1} files deep; at most ${MAX_REFERENCE_DEPTH} are followed.`,
    reference.item,
  );
}

function problem(code: string, message: string, item: ParsedItem): Diagnostic {
  return {
    severity: "error",
    code,
    message,
    file: item.source_file,
    ...(item.line_number === null ? {} : { line: item.line_number }),
  };
}
