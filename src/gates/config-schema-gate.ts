// config_schema: the config is valid and can be normalized, and contains no placeholder. Cannot prove that its values are
// correct. Targets placeholders, wrong counts and values such as `"two"`.
import type { ConfigReading } from "../contract/config.ts";
import { readItemConfig } from "../runtime/index.ts";
import type { Findings } from "./findings.ts";
import { show } from "./show.ts";

/** Longest config that is read, in characters. */
const MAX_CONFIG_CHARS = 256 * 1024;
/** Placeholders of prompts/item/config_template.yaml. Other texts may be values. */
const PLACEHOLDER = /<TO_BE_INFERRED>|\bTO_BE_INFERRED\b/;

/** Reads the config and reports its problems. */
export function runConfigSchemaGate(source: string, findings: Findings): ConfigReading | null {
  if (source.length > MAX_CONFIG_CHARS) {
    const message = `config.yaml has ${source.length} characters; at most ${MAX_CONFIG_CHARS} are read.`;
    findings.error("config_schema", "config", "config_too_large", message);
    findings.ran("config_schema");
    return null;
  }
  if (source.replace(/^\s*#.*$/gm, "").trim() === "") {
    if (!findings.hasErrors("config")) {
      findings.error("config_schema", "config", "file_empty", "config.yaml is missing or empty.");
    }
    findings.ran("config_schema");
    return null;
  }
  const reading = readItemConfig(source, "generated");
  if (!reading.ok) {
    for (const problem of reading.problems) {
      const where = problem.path === "" ? "config.yaml" : `\`${problem.path}\``;
      findings.error(
        "config_schema",
        "config",
        "config_invalid",
        `${where}: ${problem.message}.`,
        lineOf(problem),
      );
    }
  }
  for (const warning of reading.warnings) {
    findings.warn(
      "config_schema",
      "config",
      "config_doubtful",
      `\`${warning.path}\`: ${warning.message}.`,
      lineOf(warning),
    );
  }
  checkPlaceholders(source, reading, findings);
  findings.ran("config_schema");
  return reading;
}

function lineOf(problem: { line?: number }): { line?: number } {
  return problem.line === undefined ? {} : { line: problem.line };
}

function checkPlaceholders(source: string, reading: ConfigReading, findings: Findings): void {
  source.split("\n").forEach((line, i) => {
    const body = withoutComment(line);
    if (!PLACEHOLDER.test(body)) return;
    const message = `The config still contains a placeholder: ${show(body.trim())}. Write the real value, or N/A.`;
    findings.error("config_schema", "config", "placeholder", message, { line: i + 1 });
  });
  if (!reading.ok) return;
  const { config } = reading;
  const texts = [
    ...config.requirements.pattern_items.map((text) => ({ text, where: "requirements.pattern_items" })),
    ...config.waivers.waive_items.map((text) => ({ text, where: "waivers.waive_items" })),
    ...config.input_files.map((text) => ({ text, where: "input_files" })),
  ];
  for (const { text, where } of texts) {
    if (text.trim() === "") {
      const message = `\`${where}\` contains an empty text, which every value contains.`;
      findings.error("config_schema", "config", "empty_pattern", message);
    }
  }
}

/** Removes a YAML comment. Only quotes on the same line are considered, which suffices for placeholders. */
function withoutComment(line: string): string {
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? "";
    if (quote !== "") {
      if (c === quote) quote = "";
    } else if (c === '"' || c === "'") quote = c;
    else if (c === "#" && (i === 0 || /\s/.test(line[i - 1] ?? ""))) return line.slice(0, i);
  }
  return line;
}
