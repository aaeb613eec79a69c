// The check block of a page: requirements and waivers of the item config. docs/contract.md, section 6.
import type { ConfigProblem, ConfigReading } from "../contract/config.ts";
import { readItemConfig } from "./read-config.ts";
import { readYaml } from "./yaml-map.ts";

const KEYS = ["requirements", "waivers"];

/** Reads the YAML of a check block as a generated config. Never throws. */
export function readCheckBlock(yaml: string): ConfigReading {
  const reading = readItemConfig(yaml, "generated");
  const unknownKeys = unknownKeyProblems(yaml);
  if (unknownKeys.length === 0) return reading;
  const reported = new Set(unknownKeys.map(({ path }) => path));
  const others = reading.ok ? [] : reading.problems.filter(({ path }) => !reported.has(path));
  return { ok: false, problems: [...unknownKeys, ...others], warnings: reading.warnings };
}

/** The problems of a check block for the parser of pages: one sentence each, with 1-based lines of the block. */
export function checkProblems(yaml: string): { message: string; line?: number }[] {
  const reading = readCheckBlock(yaml);
  if (reading.ok) return [];
  return reading.problems.map(({ path, message, line }) => ({
    message: `${path === "" ? "" : `\`${path}\`: `}${message}.`,
    ...(line === undefined ? {} : { line }),
  }));
}

function unknownKeyProblems(yaml: string): ConfigProblem[] {
  const reading = readYaml(yaml);
  const root = reading.ok ? reading.root.view() : undefined;
  if (root?.kind !== "map") return [];
  return root.entries
    .filter(({ key }) => !KEYS.includes(key))
    .map(({ key, line }) => ({
      path: key,
      message: "a check block has the keys requirements and waivers only; the program writes the others",
      line,
    }));
}
