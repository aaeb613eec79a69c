// A run for the report tests: every kind of outcome, and texts that try to break out of a report.
import type { NormalizedConfig } from "../../src/contract/config.ts";
import type { CheckResult, ResultItem } from "../../src/contract/results.ts";
import type { ReportItem, ReportRun } from "../../src/report/index.ts";

export const HOSTILE = `</script><script>document.title="owned"</script><img src=x onerror="document.title='owned'"> ]]> & "q" 'q' \`b\` \u001b[31m \u202e \ud800 \u0000`;

export function config(changes: Partial<NormalizedConfig> = {}): NormalizedConfig {
  return {
    type: 3,
    description: `versions of the netlist ${HOSTILE}`,
    input_files: ["logs/*.log"],
    requirements: { value: 2, pattern_items: ["alpha", HOSTILE], expect: "present", extra: "fail" },
    waivers: {
      value: 2,
      waive_items: ["beta*", "gamma"],
      waive_reasons: [`known ${HOSTILE}`, "N/A"],
      waive_until: [null, null],
    },
    witnesses: ["regex:^end of run$"],
    no_witness_reason: "",
    ...changes,
  };
}

export function foundItem(value: string, line: number | null = 2): ResultItem {
  return {
    value,
    source_file: "/srv/logs/a.log",
    line_number: line,
    matched_content: `item: ${value}`,
    parsed_fields: { kind: "item", path: [value], n: 1 },
    description: "d",
  };
}

export function missingItem(expected: string): ResultItem {
  return {
    description: "d",
    expected,
    searched_files: ["/srv/logs/a.log", "/srv/logs/b.log"],
    line_number: null,
    source_file: "",
    matched_content: "",
    parsed_fields: {},
  };
}

export function item(
  id: string,
  result: Partial<CheckResult>,
  changes: Partial<ReportItem> = {},
): ReportItem {
  return {
    result: {
      item_id: id,
      type: 3,
      outcome: "pass",
      result: {
        status: "PASS",
        found_items: [foundItem("alpha")],
        missing_items: [],
        extra_items: [],
        waived: [],
        unused_waivers: [],
      },
      diagnostics: [],
      input_files: ["/srv/logs/a.log"],
      duration_ms: 12,
      ...result,
    },
    dir: `/sets/${id}`,
    unverified: false,
    outdated: false,
    records: 3,
    declared: [],
    config: config(),
    searchedFiles: ["/srv/logs/a.log"],
    excerpts: [
      {
        file: "/srv/logs/a.log",
        startLine: 1,
        lines: ["first", "item: alpha", `third ${HOSTILE}`, "fourth", "fifth"],
      },
    ],
    ...changes,
  };
}

export const failing = item("FAIL-1", {
  outcome: "fail",
  result: {
    status: "FAIL",
    found_items: [foundItem("alpha")],
    missing_items: [missingItem(HOSTILE)],
    extra_items: [foundItem(`extra ${HOSTILE}`, 3)],
    waived: [
      { ...foundItem("beta 1", 4), waiver_pattern: "beta*", waiver_reason: "known bug", tag: "[WAIVER]" },
      { ...missingItem("gone"), waiver_pattern: "gamma", waiver_reason: "N/A", tag: "[WAIVER]" },
    ],
    unused_waivers: [{ pattern: "delta", reason: "Not matched" }],
  },
});

export const broken = item(
  "ERR-1",
  {
    outcome: "error",
    type: null,
    result: null,
    diagnostics: [
      {
        severity: "error",
        code: "input_missing",
        message: `There is no such file ${HOSTILE}`,
        file: "/srv/logs/no.log",
        line: 7,
      },
      { severity: "warning", code: "unverified", message: "UNVERIFIED: changed" },
    ],
  },
  { config: null, unverified: true, outdated: false, records: 0, searchedFiles: [], excerpts: [] },
);

export const globally = item(
  "GLOBAL-1",
  {
    outcome: "pass",
    type: 3,
    result: {
      status: "PASS",
      found_items: [],
      missing_items: [{ ...missingItem("alpha"), severity: "INFO", tag: "[WAIVED_AS_INFO]" }],
      extra_items: [{ ...foundItem("x"), severity: "INFO", tag: "[WAIVED_AS_INFO]" }],
      waived: [{ waiver_pattern: "why", waiver_reason: "Global Waiver", tag: "[WAIVED_INFO]" }],
      unused_waivers: [],
    },
  },
  {
    config: config({
      waivers: { value: 0, waive_items: ["why"], waive_reasons: ["N/A"], waive_until: [null] },
    }),
  },
);

export function run(items: ReportItem[] = [item("PASS-1", {}), failing, broken, globally]): ReportRun {
  return {
    version: "1.2.3",
    created_at: "2026-01-02T03:04:05.678Z",
    search_root: "/srv",
    duration_ms: 1234,
    items,
    comparison: null,
  };
}
