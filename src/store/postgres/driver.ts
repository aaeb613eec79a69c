// Loads the database libraries on first use: in the executable they are an embedded script.
import { join } from "node:path";
import { loadScript } from "../../core/embedded-script.ts";
import type * as libraries from "./libraries.ts";

type Libraries = typeof libraries;

let loaded: Promise<Libraries> | undefined;

/** pg and pg-boss. */
export function databaseLibraries(): Promise<Libraries> {
  loaded ??= loadScript<Libraries>("postgres", join(import.meta.dirname, ["libraries", "ts"].join(".")));
  return loaded;
}
