// SARIF 2.1.0 (OASIS standard, sarif-schema-2.1.0): findings with file and line, so that code hosts and editors
// can show them in place. Takes plain data; used by check and batch.
import { relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { sha256 } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import { truncate } from "../core/limits.ts";
import { visible } from "./escape.ts";

export interface SarifFinding {
  /** Stable: an item id, or `atomsmith/<code>`. */
  rule: string;
  level: "error" | "warning" | "note";
  message: string;
  /** Absolute path; absent for a finding without a location. */
  file?: string;
  /** 1-based. */
  line?: number;
  /** The text of the line. */
  snippet?: string;
  /** The reason of the waiver that suppresses the finding. */
  suppressedBecause?: string;
  /** Identifies the finding across runs; the line is not part of it. */
  identity: readonly string[];
  properties?: JsonObject;
}

export interface SarifRule {
  id: string;
  description: string;
}

export interface SarifInput {
  version: string;
  /** URIs of files below it are relative to it. */
  searchRoot: string;
  rules: readonly SarifRule[];
  findings: readonly SarifFinding[];
  /** False when something could not be judged. */
  executionSuccessful: boolean;
}

const ROOT = "SEARCH_ROOT";

/** The whole document, as a value. */
export function renderSarif(input: SarifInput): JsonObject {
  const rules = [...input.rules];
  const index = new Map(rules.map((rule, i) => [rule.id, i]));
  for (const { rule } of input.findings) {
    if (index.has(rule)) continue;
    index.set(rule, rules.length);
    rules.push({ id: rule, description: rule });
  }
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "atomsmith",
            semanticVersion: input.version,
            rules: rules.map(({ id, description }) => ({
              id: visible(id),
              shortDescription: { text: visible(truncate(description || id, 1000).text) },
            })),
          },
        },
        originalUriBaseIds: { [ROOT]: { uri: folderUri(input.searchRoot) } },
        columnKind: "utf16CodeUnits",
        invocations: [{ executionSuccessful: input.executionSuccessful }],
        results: input.findings.map((f) => result(f, index.get(f.rule) ?? 0, input.searchRoot)),
      },
    ],
  };
}

function result(finding: SarifFinding, ruleIndex: number, searchRoot: string): JsonObject {
  return {
    ruleId: visible(finding.rule),
    ruleIndex,
    level: finding.level,
    message: { text: visible(truncate(finding.message, 4000).text) },
    ...(finding.file === undefined ? {} : { locations: [location(finding, finding.file, searchRoot)] }),
    partialFingerprints: { "atomsmith/v1": sha256(JSON.stringify([finding.rule, ...finding.identity])) },
    ...(finding.suppressedBecause === undefined
      ? {}
      : { suppressions: [{ kind: "external", justification: visible(finding.suppressedBecause) }] }),
    ...(finding.properties === undefined ? {} : { properties: finding.properties }),
  };
}

function location(finding: SarifFinding, file: string, searchRoot: string): JsonObject {
  const text = finding.snippet ?? "";
  const snippet = text === "" ? {} : { snippet: { text: visible(truncate(text, 4000).text) } };
  const region = finding.line === undefined ? {} : { region: { startLine: finding.line, ...snippet } };
  return { physicalLocation: { artifactLocation: artifact(file, searchRoot), ...region } };
}

function artifact(file: string, searchRoot: string): JsonObject {
  const path = relative(searchRoot, file);
  if (path === "" || path.startsWith("..")) return { uri: pathToFileURL(file).href };
  return { uri: path.split(sep).map(encodeURIComponent).join("/"), uriBaseId: ROOT };
}

function folderUri(folder: string): string {
  const uri = pathToFileURL(folder).href;
  return uri.endsWith("/") ? uri : `${uri}/`;
}
