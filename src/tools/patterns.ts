// Glob patterns of a discovery: which they are, and which are refused.
import { type Refusal, refuse } from "./answer.ts";
import type { PathGuard } from "./paths.ts";

export interface Pattern {
  written: string;
  /** `folder` is relative to the root and ends with a slash, or is empty. */
  matches(folder: string, name: string): boolean;
}

/** A pattern without a slash matches names at any depth; with one, paths below the root. */
export function compilePattern(
  written: string,
  guard: PathGuard,
  variables: Record<string, string>,
): Pattern | Refusal {
  let text = written
    .trim()
    .replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => variables[name] ?? whole);
  const unknown = /\$\{[^}]*\}/.exec(text)?.[0];
  if (unknown !== undefined) {
    const known = Object.keys(variables).map((name) => `\${${name}}`);
    return refuse(
      "bad_pattern",
      `${unknown} in "${written}" is not known.`,
      `Known: ${known.join(", ") || "none"}.`,
    );
  }
  text = text.replace(/^(\.\/)+/, "");
  if (text.startsWith(`${guard.root}/`)) text = text.slice(guard.root.length + 1);
  if (text.startsWith("/") || text.split("/").includes("..")) {
    return refuse(
      "outside_root",
      `"${written}" leads out of the search root.`,
      "Use patterns relative to it, such as **/*.log.",
    );
  }
  if ((text.match(/\{/g)?.length ?? 0) > 8 || (text.match(/\*/g)?.length ?? 0) > 32) {
    return refuse(
      "bad_pattern",
      `"${written.slice(0, 80)}" is too complicated.`,
      "Use several simple patterns.",
    );
  }
  const simple = /^(?:\*\*\/)?\*([^*?[\]{}\\!/]+)$/.exec(text)?.[1];
  // `*.log`, the most usual pattern by far, needs no matcher.
  if (simple !== undefined) return { written, matches: (_folder, name) => name.endsWith(simple) };
  const glob = new Bun.Glob(text);
  if (!text.includes("/")) return { written, matches: (_folder, name) => glob.match(name) };
  return { written, matches: (folder, name) => glob.match(folder + name) };
}
