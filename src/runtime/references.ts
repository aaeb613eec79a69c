// L2: the files that records refer to in `parsed_fields.indirect_reference`. docs/contract.md, section 4.
import { lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ParsedItem } from "../contract/atoms.ts";
import type { Diagnostic } from "../contract/results.ts";
import type { PathGuard } from "../files/guard.ts";

/** An input is depth 0. */
export const MAX_REFERENCE_DEPTH = 5;

/** A path as written in a log. */
export interface Reference {
  written: string;
  /** The record that contains it. */
  item: ParsedItem;
}

/** The references of records in the order of extraction. Null and empty texts are ignored; any other value that is not a
 * text or a list of texts is a diagnostic. */
export function referencesOf(items: readonly ParsedItem[]): {
  references: Reference[];
  diagnostics: Diagnostic[];
} {
  const references: Reference[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const item of items) {
    if (!Object.hasOwn(item.parsed_fields, "indirect_reference")) continue;
    const value = item.parsed_fields["indirect_reference"];
    for (const written of Array.isArray(value) ? value : [value]) {
      if (typeof written === "string") {
        if (written.trim() !== "") references.push({ written, item });
      } else if (written !== null && written !== undefined) {
        diagnostics.push(
          problem("reference_invalid", "indirect_reference must be a path or a list of paths.", item),
        );
      }
    }
  }
  return { references, diagnostics };
}

/** Resolves a reference in the directory of the file that contains it, then below the search root. */
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
    const exists = await lstat(path).catch(
      (error: NodeJS.ErrnoException) => error.code !== "ENOENT" && error.code !== "ENOTDIR",
    );
    if (exists === false) continue;
    const place = guard.resolve(path);
    if (place.inside) return { ok: true, path: place.path };
    refused = true;
  }
  const shown = JSON.stringify(written);
  return {
    ok: false,
    diagnostic: refused
      ? problem(
          "reference_outside_root",
          `The reference ${shown} is outside the search root; it was not read.`,
          item,
        )
      : problem(
          "reference_not_found",
          `The reference ${shown} was found neither in the directory of this file nor below the search root.`,
          item,
        ),
  };
}

export function referenceTooDeep(reference: Reference): Diagnostic {
  return problem(
    "reference_too_deep",
    `The reference ${JSON.stringify(reference.written)} is ${MAX_REFERENCE_DEPTH + 1} files deep; at most ${MAX_REFERENCE_DEPTH} are followed.`,
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
