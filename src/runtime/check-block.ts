// The check block of a page: the requirements and waivers of the item config, and nothing else. Contract, section 6.
import type { ConfigProblem, ConfigReading } from "../contract/config.ts";
import { readItemConfig } from "./read-config.ts";
import { readYaml } from "./yaml-map.ts";

const KEYS = ["requirements", "waivers"];

/** Reads the YAML of a check block as a generated config. Never throws. */
export function readCheckBlock(yaml: string): ConfigReading {
  const reading = readItemConfig(yaml, "generated");
  const others = otherKeys(yaml);
  if (others.length === 0) return reading;
  const known = new Set(others.map(({ path }) => path));
  const more = reading.ok ? [] : reading.problems.filter(({ path }) => !known.has(path));
  return { ok: false, problems: [...others, ...more], warnings: reading.warnings };
}

/** What is wrong with a check block, for the parser of pages: one sentence each, 1-based lines of the block. */
export function checkProblems(yaml: string): { message: string; line?: number }[] {
  const reading = readCheckBlock(yaml);
  if (reading.ok) return [];
  return reading.problems.map(({ path, message, line }) => ({
    message: `${path === "" ? "" : `\`${path}\`: `}${message}.`,
    ...(line === undefined ? {} : { line }),
  }));
}

function otherKeys(yaml: string): ConfigProblem[] {
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
