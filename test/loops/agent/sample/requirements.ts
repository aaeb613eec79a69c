// The checklist of the sample, 20 requirements over the logs of fixtures/project, and what its scripted creator writes
// of each: the parts of the pages. The documents in fixtures/creator say the same texts.

export interface Requirement {
  id: string;
  /** As the checklist asks for it: the quote. */
  text: string;
  /** Column of the table; empty: no log is named. */
  log: string;
  /** Approved exceptions of the checklist. */
  waivers: string;
  /** Absent: no log can answer it, and why. */
  page?: PageParts;
  missing?: string;
}

export interface PageParts {
  /** What one record is. */
  record: string;
  /** Log text and records, as in an example block. */
  examples: string[];
  check: string;
  /** What must hold. */
  rule: string;
  /** Files in the words of section 4.1. */
  files: string;
}

const NO_WAIVERS = "waivers: {value: N/A}";

export const REQUIREMENTS: readonly Requirement[] = [
  {
    id: "CK-01",
    text: "The nightly flow has ended the stages synthesis, routing, extraction, sta, drc and lvs.",
    log: "build/nightly.log",
    waivers: "",
    page: {
      record: "A stage that ended. The value is the stage; fields are `status` and `elapsed`.",
      examples: [
        `2026-01-27T20:21:20Z runner-07 flow[4121]: stage=lint event=end design=soc_top status=ok elapsed=1280
---
value: lint
status: ok
elapsed: 1280`,
        `2026-01-27T20:00:00Z runner-07 flow[4121]: stage=lint event=start design=soc_top
---
none`,
      ],
      check: `requirements:
  value: 6
  pattern_items: [synthesis, routing, extraction, sta, drc, lvs]
  extra: info
${NO_WAIVERS}`,
      rule: "Six stages must have ended; other stages are fine.",
      files: "build/nightly.log",
    },
  },
  {
    id: "CK-02",
    text: "No stage of the nightly flow ends with a status other than ok.",
    log: "build/nightly.log",
    waivers: "",
    page: {
      record: "A stage that ended. The value is the stage; fields are `status` and `elapsed`.",
      examples: [
        `2026-01-27T21:35:33Z runner-07 flow[4121]: stage=placement event=end design=soc_top status=ok elapsed=1515
---
value: placement
status: ok
elapsed: 1515`,
        `2026-01-27T22:14:56Z runner-07 flow[4121]: stage=cts event=end design=soc_top status=retry elapsed=2363
---
value: cts
status: retry
elapsed: 2363`,
        `2026-01-27T21:10:18Z runner-07 flow[4121]: stage=placement event=start design=soc_top
---
none`,
      ],
      check: `requirements:
  value: N/A
  where: {status: ok}
${NO_WAIVERS}`,
      rule: "Every stage that ended has the status ok.",
      files: "build/nightly.log",
    },
  },
  {
    id: "CK-03",
    text: "The DRC report of the top cell shows no rule with violations.",
    log: "drc/soc_top.drc.rpt",
    waivers: "density.*: fill is inserted by the foundry; li.3: false positive below the PLL",
    page: {
      record: "A rule with violations. The value is the rule; fields are `count` and `description`.",
      examples: [
        `m1.6            3  Metal1 minimum area < 0.083um^2
---
value: m1.6
count: 3
description: Metal1 minimum area < 0.083um^2`,
        `density.m5      2  Metal5 density below 0.30 in window
---
value: density.m5
count: 2
description: Metal5 density below 0.30 in window`,
        `m1.2            0  Metal1 spacing < 0.14um
---
none`,
      ],
      check: `requirements: {value: N/A, expect: absent}
waivers:
  value: 2
  waive_items: ["density.*", li.3]
  waive_reasons: [fill is inserted by the foundry, false positive below the PLL]`,
      rule: "Every rule with violations is one, but for the two that the checklist waives.",
      files: "drc/*.drc.rpt",
    },
  },
  {
    id: "CK-04",
    text: "DRC ran with deck revision 2025.11.",
    log: "drc/soc_top.drc.rpt",
    waivers: "",
    page: {
      record: "The deck of the run. The value is the revision; the field `deck` is its file.",
      examples: [
        `Deck: sky130A_mr.drc revision 2025.11
---
value: 2025.11
deck: sky130A_mr.drc`,
        `Run: 2026-01-28 03:12:55 on host runner-07
---
none`,
      ],
      check: `requirements: {value: 1, pattern_items: ["2025.11"]}
${NO_WAIVERS}`,
      rule: "The revision must be the agreed one.",
      files: "drc/*.drc.rpt",
    },
  },
  {
    id: "CK-05",
    text: "Layout and schematic match uniquely in both blocks.",
    log: "lvs/*.lvs.rpt",
    waivers: "",
    page: {
      record: "The verdict of a comparison. The value is the text after `Final result: `.",
      examples: [
        `Final result: Circuits match uniquely.
---
value: Circuits match uniquely.`,
        `Final result: Top level cell failed pin matching.
---
value: Top level cell failed pin matching.`,
        `Netlists match uniquely.
---
none`,
      ],
      check: `requirements:
  value: 2
  pattern_items: [Circuits match uniquely., Circuits match uniquely.]
${NO_WAIVERS}`,
      rule: "There are two blocks, and both must match.",
      files: "lvs/*.lvs.rpt",
    },
  },
  {
    id: "CK-06",
    text: "The device classes of soc_top and pll_wrap are equivalent.",
    log: "lvs/*.lvs.rpt",
    waivers: "",
    page: {
      record: "A pair of device classes that is equivalent. The value is the class in the layout.",
      examples: [
        `Device classes pll_wrap and pll_wrap are equivalent.
---
value: pll_wrap
schematic: pll_wrap`,
        `Netlists match uniquely.
---
none`,
      ],
      check: `requirements: {value: 2, pattern_items: [soc_top, pll_wrap]}
${NO_WAIVERS}`,
      rule: "Both classes must be there.",
      files: "lvs/*.lvs.rpt",
    },
  },
  {
    id: "CK-07",
    text: "Both blocks are compared with the netlist of the release: soc_top.v and pll_wrap.v.",
    log: "lvs/*.lvs.rpt",
    waivers: "",
    page: {
      record: "A comparison. The value is the schematic; the field `layout` is what it was compared with.",
      examples: [
        `Comparing layout pll_wrap.ext.spice with schematic pll_wrap.v
---
value: pll_wrap.v
layout: pll_wrap.ext.spice`,
        `Netgen 1.5.272 compiled on Mon Nov 10 07:11:23 UTC 2025
---
none`,
      ],
      check: `requirements: {value: 2, pattern_items: [soc_top.v, pll_wrap.v]}
${NO_WAIVERS}`,
      rule: "Both schematics must be there.",
      files: "lvs/*.lvs.rpt",
    },
  },
  {
    id: "CK-08",
    text: "Equivalence checking leaves no compare point unproved.",
    log: "lec/soc_top.lec.log",
    waivers: "",
    page: {
      record:
        "A compare point that could not be proved. The value is the point; the field `code` is that of the message.",
      examples: [
        `ERROR EQC-410: compare point core/stage1/q_reg[3] not equivalent
---
value: core/stage1/q_reg[3]
code: EQC-410`,
        `NOTE  EQC-305: compare point core/stage0/q_reg[0] proved equivalent
---
none`,
      ],
      check: `requirements: {value: N/A, expect: absent}
${NO_WAIVERS}`,
      rule: "Every such point is a violation. The log of today has none: the record of the first example is made up.",
      files: "lec/*.lec.log",
    },
  },
  {
    id: "CK-09",
    text: "Refused licences are reported for information.",
    log: "license/signoffd.log",
    waivers: "all refusals: the queue retries",
    page: {
      record: "A refused licence. The value is the feature; fields are `time`, `user` and `host`.",
      examples: [
        ` 7:59:37 (signoffd) DENIED: "rc_extract" csilva@runner-07  (Licensed number of users already reached. (-4,342))
---
value: rc_extract
time: 7:59:37
user: csilva
host: runner-07`,
        ` 8:02:47 (signoffd) OUT: "rc_extract" csilva@runner-08
---
none`,
      ],
      check: `requirements: {value: N/A, expect: absent}
waivers: {value: 0, waive_items: [the queue retries]}`,
      rule: "Every refusal is a violation; the waiver holds for all of them.",
      files: "license/signoffd.log",
    },
  },
  {
    id: "CK-10",
    text: "The licence server runs FlexNet Licensing v11.19.0.",
    log: "license/signoffd.log",
    waivers: "",
    page: {
      record:
        "A start of the licence server. The value is the version; the field `host` is where it started.",
      examples: [
        ` 7:58:03 (lmgrd) FlexNet Licensing (v11.19.0) started on lic-a.example (linux) (1/28/2026)
---
value: v11.19.0
host: lic-a.example`,
        ` 7:58:03 (lmgrd) Server started on lic-a.example for: signoffd
---
none`,
      ],
      check: `requirements: {value: 1, pattern_items: [v11.19.0]}
${NO_WAIVERS}`,
      rule: "The version must be the agreed one.",
      files: "license/signoffd.log",
    },
  },
  {
    id: "CK-11",
    text: "The netlists are written by Yosys 0.38 (soc_top) and Yosys 0.36 (pll_wrap).",
    log: "netlist/*.v, netlist/*.v.gz",
    waivers: "",
    page: {
      record:
        "The generator of a netlist. The value is the tool with its version; the field `revision` is the git sha1.",
      examples: [
        `/* Generated by Yosys 0.36 (git sha1 8f07a0d8404, clang++ 14.0.0 -fPIC -Os) */
---
value: Yosys 0.36
revision: 8f07a0d8404`,
        `/* Generated by Yosys 0.38 (git sha1 543faed9c8c, clang++ 14.0.0 -fPIC -Os) */
---
value: Yosys 0.38
revision: 543faed9c8c`,
        `// Netlist written on 2026-01-27 22:14:09 for design pll_wrap
---
none`,
      ],
      check: `requirements: {value: 2, pattern_items: [Yosys 0.38, Yosys 0.36]}
${NO_WAIVERS}`,
      rule: "Both releases must be there.",
      files: "*.v.gz` and `*.v",
    },
  },
  {
    id: "CK-12",
    text: "There is a netlist of soc_top and one of pll_wrap.",
    log: "netlist/*.v, netlist/*.v.gz",
    waivers: "",
    page: {
      record:
        "The line that says when a netlist was written. The value is the design; the field `date` is the day.",
      examples: [
        `// Netlist written on 2026-01-27 22:14:09 for design pll_wrap
---
value: pll_wrap
date: 2026-01-27`,
        `// Netlist written on 2026-01-27 22:14:09 for design soc_top
---
value: soc_top
date: 2026-01-27`,
        `/* Generated by Yosys 0.36 (git sha1 8f07a0d8404, clang++ 14.0.0 -fPIC -Os) */
---
none`,
      ],
      check: `requirements: {value: 2, pattern_items: [soc_top, pll_wrap]}
${NO_WAIVERS}`,
      rule: "Both designs must be there.",
      files: "*.v.gz` and `*.v",
    },
  },
  {
    id: "CK-13",
    text: "Parasitics of soc_top are extracted by OpenRCX 2.0-17198.",
    log: "spef/*.spef, spef/*.spef.gz",
    waivers: "",
    page: {
      record:
        "The version of the extractor. The value is what stands between the quotes of the `*VERSION` line.",
      examples: [
        `*VERSION "2.0-17198"
---
value: 2.0-17198`,
        `*PROGRAM "OpenRCX"
---
none`,
      ],
      check: `requirements: {value: 1, pattern_items: [2.0-17198], extra: info}
${NO_WAIVERS}`,
      rule: "The version must be there; files of the macro may have another one.",
      files: "*.spef` and `*.spef.gz",
    },
  },
  {
    id: "CK-14",
    text: "There are parasitics of the corners min, max and nom.",
    log: "spef/*.spef, spef/*.spef.gz",
    waivers: "",
    page: {
      record: "The corner of a file. The value is its name.",
      examples: [
        `// corner nom
---
value: nom`,
        `*DESIGN "pll_wrap"
---
none`,
        `// corner max
---
value: max`,
      ],
      check: `requirements: {value: 3, pattern_items: [min, max, nom]}
${NO_WAIVERS}`,
      rule: "All three corners must be there.",
      files: "*.spef` and `*.spef.gz",
    },
  },
  {
    id: "CK-15",
    text: "Static timing reads the netlist soc_top.v.gz and the parasitics soc_top.max.spef.gz.",
    log: "sta/func_ss.log",
    waivers: "",
    page: {
      record:
        "A file that timing read. The value is the path; fields are `code` and `kind` (netlist or parasitics).",
      examples: [
        `[2026-01-28 01:10:09] INFO  STA-0110 Reading netlist ../netlist/soc_top.v.gz
---
value: ../netlist/soc_top.v.gz
code: STA-0110
kind: netlist`,
        `[2026-01-28 01:10:14] INFO  STA-0120 Reading parasitics ../spef/soc_top.max.spef.gz
---
value: ../spef/soc_top.max.spef.gz
code: STA-0120
kind: parasitics`,
        `[2026-01-28 01:10:02] INFO  STA-0101 Reading liberty ../lib/sky130_fd_sc_hd__ss_100C_1v60.lib
---
none`,
        `[2026-01-28 01:10:20] INFO  STA-0130 Reading constraints ../sdc/soc_top.func.sdc
---
none`,
      ],
      check: `requirements:
  value: 2
  pattern_items: [soc_top.v.gz, soc_top.max.spef.gz]
  extra: info
${NO_WAIVERS}`,
      rule: "Both files must be there; others are fine.",
      files: "sta/func_*.log",
    },
  },
  {
    id: "CK-16",
    text: "No timing path has a negative slack.",
    log: "sta/func_ss.log",
    waivers: "",
    page: {
      record: "The slack of a path. The value is the state; the field `slack` is the number.",
      examples: [
        `           3.45   slack (MET)
---
value: MET
slack: 3.45`,
        `           4.80   data required time
---
none`,
      ],
      check: `requirements:
  value: N/A
  where: {slack: {at_least: 0}}
${NO_WAIVERS}`,
      rule: "The slack of every path is at least 0.",
      files: "sta/func_*.log",
    },
  },
  {
    id: "CK-17",
    text: "Worst and total negative slack are 0.",
    log: "sta/func_ss.log",
    waivers: "",
    page: {
      record: "A sum of the run. The value is its name, wns or tns; the field `slack` is the number.",
      examples: [
        `[2026-01-28 01:10:44] INFO  STA-0200 wns 0.00
---
value: wns
slack: 0.00`,
        `[2026-01-28 01:10:44] INFO  STA-0201 tns 0.00
---
value: tns
slack: 0.00`,
        `[2026-01-28 01:10:44] INFO  STA-0999 Exit with 0 errors
---
none`,
        `[2026-01-28 01:10:19] INFO  STA-0121 Annotated 60 of 60 nets
---
none`,
      ],
      check: `requirements:
  value: 2
  pattern_items: [wns, tns]
  where: {slack: {at_least: 0}}
${NO_WAIVERS}`,
      rule: "Both sums must be there, and not below 0.",
      files: "sta/func_*.log",
    },
  },
  {
    id: "CK-18",
    text: "Static timing exits with 0 errors.",
    log: "sta/func_ss.log",
    waivers: "",
    page: {
      record: "The exit of the run. The value is the message; the field `errors` is their number.",
      examples: [
        `[2026-01-28 01:10:44] INFO  STA-0999 Exit with 0 errors
---
value: Exit with 0 errors
errors: 0`,
        `[2026-01-28 01:10:44] INFO  STA-0201 tns 0.00
---
none`,
      ],
      check: `requirements:
  value: N/A
  where: {errors: {at_most: 0}}
${NO_WAIVERS}`,
      rule: "The run has ended, and without errors.",
      files: "sta/func_*.log",
    },
  },
  {
    id: "CK-19",
    text: "Synthesis gives no warning about a source line.",
    log: "synth/soc_top.synth.log",
    waivers:
      "Replacing memory *: look-up tables are registers; Resizing cell port *: lengths are zero-extended",
    page: {
      record: "A warning that names a source line. The value is the message; fields are `file` and `line`.",
      examples: [
        `Warning: rtl/core/alu.v:157: Replacing memory \\lut_5 with list of registers.
---
value: Replacing memory \\lut_5 with list of registers.
file: rtl/core/alu.v
line: 157`,
        `Warnings: 10 unique messages, 10 total
---
none`,
      ],
      check: `requirements: {value: N/A, expect: absent}
waivers:
  value: 2
  waive_items: ["Replacing memory *", "Resizing cell port *"]
  waive_reasons: [look-up tables are registers, lengths are zero-extended]`,
      rule: "Every warning is a violation, but for the two kinds that the checklist waives.",
      files: "synth/*.synth.log",
    },
  },
  {
    id: "CK-20",
    text: "The static IR drop stays below 5 % of the supply.",
    log: "power/*.ir.rpt",
    waivers: "",
    missing: "there is no file power/*.ir.rpt below the search root",
  },
];

/** The page of a requirement.
 * @param cited lines of list_citations */
export function pageOf({ id, page }: Requirement, cited: readonly string[]): string {
  if (page === undefined) throw new Error(`${id} has no page`);
  const block = (kind: string, text: string): string => `\`\`\`${kind}\n${text}\n\`\`\``;
  return `${[
    `# ItemSpec: ${id}`,
    "",
    "## 1. Parsing Logic",
    page.record,
    "",
    ...page.examples.map((text) => block("example", text)),
    "",
    "## 2. Check Logic",
    page.rule,
    "",
    block("check", page.check),
    "",
    "## 3. Waiver Logic",
    "In the block of section 2.",
    "",
    "## 4. Implementation Guide",
    "### 4.1 Data Source & Extraction",
    `\`${page.files}\``,
    "### 4.2 Special Scenarios",
    "### 4.3 Test Data Generation",
    "One record and one line that is none.",
    "",
    "<!-- Sources",
    ...cited,
    "-->",
  ].join("\n")}\n`;
}
