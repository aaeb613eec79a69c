// Which records of a log are wanted, where it is not all of them: what the author declared, or, where nothing was
// declared (a folder that somebody wrote by hand), what the code cannot do otherwise. No word of page, comment or name
// is read. Contract, section 8.
import type { Declarations } from "../contract/declarations.ts";
import type { Literals } from "./static/literals.ts";

export interface Wanted {
  records: "all" | "first" | "last" | "distinct";
  scope: "file" | "section" | "header";
  /** False: the code alone suggests `records`, so what follows from it is worth a warning. */
  declared: boolean;
}

/** What is wanted of Atom A. */
export function wantedOf(declarations: Declarations | undefined, atomA: Literals): Wanted {
  const scope = declarations?.scope?.value ?? "file";
  const declared = declarations?.records?.value;
  if (declared !== undefined) return { records: declared, scope, declared: true };
  // Code that cannot return several records, or writes out the one it returns, was meant to return one.
  const built = !atomA.loops || atomA.returnsOne;
  return { records: built ? "first" : "all", scope, declared: false };
}

/** Is one of several records wanted? */
export function wantsOne({ records }: Wanted): boolean {
  return records === "first" || records === "last";
}
