// Logs of every form that the offline author reads, with worked examples, expected records, and a second log of the
// same form that the author does not see.
import { gzipSync } from "node:zlib";
import type { WorkedExample } from "../../../src/spec/example.ts";
import { ex, type LogFiles, one } from "../../support/offline.ts";

export type Expected = [line: number, value: string, fields: Record<string, string | number>];

export interface Shape {
  name: string;
  /** The log as text; it is stored as `run.log` unless `files` is given. */
  log: string;
  files?: (log: string) => LogFiles;
  /** Patterns of section 4.1. */
  patterns?: string;
  examples: readonly WorkedExample[];
  expected: readonly Expected[];
  /** Another log of that form, with its records and other lines. */
  unseen: string;
  found: readonly Expected[];
}

export const SHAPES: Shape[] = [
  {
    name: "message lines",
    log: [
      "Jan 27 20:21:18 gw sshd[410]: Server listening on 0.0.0.0 port 22.",
      "Jan 27 20:21:20 gw sshd[411]: Failed password for root from 10.0.0.9 port 4022 ssh2",
      "Jan 27 20:21:21 gw cron[98]: session opened for user backup",
      "Jan 27 20:22:02 gw sshd[415]: Failed password for admin from 10.0.0.17 port 50122 ssh2",
      "Jan 27 20:25:44 gw sshd[430]: Failed password for git from 192.168.4.2 port 811 ssh2",
      "Jan 27 20:25:59 gw sshd[431]: Connection closed by 192.168.4.2 port 811",
    ].join("\n"),
    examples: [
      one("Jan 27 20:21:20 gw sshd[411]: Failed password for root from 10.0.0.9 port 4022 ssh2", "root", {
        address: "10.0.0.9",
        port: "4022",
      }),
      one("Jan 27 20:22:02 gw sshd[415]: Failed password for admin from 10.0.0.17 port 50122 ssh2", "admin", {
        address: "10.0.0.17",
        port: "50122",
      }),
    ],
    expected: [
      [2, "root", { address: "10.0.0.9", port: "4022" }],
      [4, "admin", { address: "10.0.0.17", port: "50122" }],
      [5, "git", { address: "192.168.4.2", port: "811" }],
    ],
    unseen: [
      "Feb  3 01:00:00 edge7 sshd[9]: Accepted password for root from 10.0.0.9 port 22 ssh2",
      "Feb  3 01:00:01 edge7 sshd[9]: Failed password for www-data from 172.16.0.1 port 65000 ssh2",
    ].join("\n"),
    found: [[2, "www-data", { address: "172.16.0.1", port: "65000" }]],
  },
  {
    name: "keys and values",
    log: [
      "ts=2024-05-01T10:00:00Z level=info msg=started",
      "ts=2024-05-01T10:00:01Z level=warn disk=/dev/sda1 used=91 limit=90",
      "ts=2024-05-01T10:00:02Z level=info msg=checked",
      "ts=2024-05-01T10:00:05Z level=warn disk=/dev/sdb2 used=97 limit=95",
      "ts=2024-05-01T10:00:09Z level=warn disk=/dev/nvme0n1 used=88 limit=80",
    ].join("\n"),
    examples: [
      ex(
        "ts=2024-05-01T10:00:01Z level=warn disk=/dev/sda1 used=91 limit=90\n---\nvalue: /dev/sda1\nused (number): 91\nlimit: 90",
      ),
      ex(
        "ts=2024-05-01T10:00:05Z level=warn disk=/dev/sdb2 used=97 limit=95\n---\nvalue: /dev/sdb2\nused (number): 97\nlimit: 95",
      ),
    ],
    expected: [
      [2, "/dev/sda1", { used: 91, limit: "90" }],
      [4, "/dev/sdb2", { used: 97, limit: "95" }],
      [5, "/dev/nvme0n1", { used: 88, limit: "80" }],
    ],
    unseen: [
      "ts=2025-12-31T23:59:59Z level=warn disk=/dev/md127 used=100 limit=99",
      "ts=2025-12-31T23:59:59Z level=info disks=4",
    ].join("\n"),
    found: [[1, "/dev/md127", { used: 100, limit: "99" }]],
  },
  {
    name: "a table with headings",
    log: [
      "Timing summary",
      "",
      "Clock       Period   Slack   Endpoint",
      "---------   ------   -----   -----------",
      "clk_core      2.50   -0.12   u_alu/q_reg",
      "clk_io        8.00    1.30   u_pad/d_reg",
      "clk_mem       4.00   -1.05   u_ram/a_reg",
      "clk_dbg      20.00    9.75   u_dbg/t_reg",
      "",
      "4 clocks reported",
    ].join("\n"),
    examples: [
      one("clk_core      2.50   -0.12   u_alu/q_reg", "clk_core", {
        slack: "-0.12",
        endpoint: "u_alu/q_reg",
      }),
      one("clk_io        8.00    1.30   u_pad/d_reg", "clk_io", { slack: "1.30", endpoint: "u_pad/d_reg" }),
    ],
    expected: [
      [5, "clk_core", { slack: "-0.12", endpoint: "u_alu/q_reg" }],
      [6, "clk_io", { slack: "1.30", endpoint: "u_pad/d_reg" }],
      [7, "clk_mem", { slack: "-1.05", endpoint: "u_ram/a_reg" }],
      [8, "clk_dbg", { slack: "9.75", endpoint: "u_dbg/t_reg" }],
    ],
    unseen: [
      "clk_early     1.00    0.10   u_no/table",
      "Clock       Period   Slack   Endpoint",
      "---------   ------   -----   -----------",
      "clk_usb      16.60   -3.00   u_usb/r_reg",
      "",
      "clk_late      1.00    0.10   u_no/table",
    ].join("\n"),
    found: [[4, "clk_usb", { slack: "-3.00", endpoint: "u_usb/r_reg" }]],
  },
  {
    name: "cells between marks",
    log: [
      "+--------+---------+-------+",
      "| Block  | Owner   | Area  |",
      "+--------+---------+-------+",
      "| alu    | mia     | 120.5 |",
      "| decode | jo      | 87.0  |",
      "| cache  | mia     | 990.1 |",
      "+--------+---------+-------+",
    ].join("\n"),
    examples: [
      one("| alu    | mia     | 120.5 |", "alu", { owner: "mia", area: "120.5" }),
      one("| decode | jo      | 87.0  |", "decode", { owner: "jo", area: "87.0" }),
    ],
    expected: [
      [4, "alu", { owner: "mia", area: "120.5" }],
      [5, "decode", { owner: "jo", area: "87.0" }],
      [6, "cache", { owner: "mia", area: "990.1" }],
    ],
    unseen: [
      "+--------+---------+-------+",
      "| Block  | Owner   | Area  |",
      "+--------+---------+-------+",
      "| fetch  | lee     | 14.25 |",
      "+--------+---------+-------+",
      "| total: 1         | 14.25 |",
    ].join("\n"),
    found: [[4, "fetch", { owner: "lee", area: "14.25" }]],
  },
  {
    name: "a record over several lines",
    log: [
      "Violation of rule M1.S.2",
      "  layer: metal1",
      "  count: 12",
      "",
      "Violation of rule V2.EN.1",
      "  layer: via2",
      "  count: 3",
      "",
      "Violation of rule M4.W.1",
      "  layer: metal4",
      "  count: 40",
      "",
      "Run finished, 3 rules",
    ].join("\n"),
    examples: [
      ex(
        "Violation of rule M1.S.2\n  layer: metal1\n  count: 12\n---\nvalue: M1.S.2\nlayer: metal1\ncount: 12",
      ),
      ex("Violation of rule V2.EN.1\n  layer: via2\n  count: 3\n---\nvalue: V2.EN.1\nlayer: via2\ncount: 3"),
    ],
    expected: [
      [1, "M1.S.2", { layer: "metal1", count: "12" }],
      [5, "V2.EN.1", { layer: "via2", count: "3" }],
      [9, "M4.W.1", { layer: "metal4", count: "40" }],
    ],
    unseen: [
      "Violation of rule POLY.3",
      "  layer: poly",
      "  count: 7",
      "",
      "Waiver of rule POLY.4",
      "  layer: poly",
      "  count: 9",
    ].join("\n"),
    found: [[1, "POLY.3", { layer: "poly", count: "7" }]],
  },
  {
    name: "headings as fields",
    log: [
      "Module: uart",
      "  missing port rx_ready",
      "  missing port tx_full",
      "",
      "Module: spi",
      "  missing port cs_n",
      "  note: checked by hand",
      "",
      "Module: i2c",
      "  missing port sda_oe",
      "  missing port scl_oe",
      "  missing port irq",
    ].join("\n"),
    examples: [
      ex("Module: uart\n  missing port rx_ready\n---\nvalue: rx_ready\nmodule: uart"),
      ex("Module: spi\n  missing port cs_n\n---\nvalue: cs_n\nmodule: spi"),
    ],
    expected: [
      [2, "rx_ready", { module: "uart" }],
      [3, "tx_full", { module: "uart" }],
      [6, "cs_n", { module: "spi" }],
      [10, "sda_oe", { module: "i2c" }],
      [11, "scl_oe", { module: "i2c" }],
      [12, "irq", { module: "i2c" }],
    ],
    unseen: [
      "  missing port before_any_module",
      "Module: dma",
      "  renamed port ack",
      "  missing port req",
      "  missing port last",
    ].join("\n"),
    found: [
      [4, "req", { module: "dma" }],
      [5, "last", { module: "dma" }],
    ],
  },
  {
    name: "a JSON document",
    log: JSON.stringify(
      {
        tool: "scan",
        findings: [
          { id: "F-1", severity: "high", at: { file: "a.c", line: 12 } },
          { id: "F-2", severity: "low", at: { file: "b.c", line: 7 } },
          { id: "F-3", severity: "low", at: { file: "c/d.c", line: 190 } },
        ],
        skipped: [{ id: "S-1", cause: "generated" }],
      },
      null,
      2,
    ),
    examples: [
      ex(
        '      "id": "F-1",\n      "severity": "high",\n      "at": {\n        "file": "a.c",\n        "line": 12\n---\nvalue: F-1\nseverity: high\nfile: a.c',
      ),
      ex(
        '      "id": "F-2",\n      "severity": "low",\n      "at": {\n        "file": "b.c",\n        "line": 7\n---\nvalue: F-2\nseverity: low\nfile: b.c',
      ),
    ],
    expected: [
      [5, "F-1", { severity: "high", file: "a.c" }],
      [13, "F-2", { severity: "low", file: "b.c" }],
      [21, "F-3", { severity: "low", file: "c/d.c" }],
    ],
    unseen: JSON.stringify(
      {
        findings: [{ at: { line: 1, file: "z.c" }, severity: "none", id: "F-9" }],
        dropped: [{ id: "D-1", severity: "high", at: { file: "q.c" } }],
      },
      null,
      1,
    ),
    found: [[9, "F-9", { severity: "none", file: "z.c" }]],
  },
  {
    name: "JSON lines",
    log: [
      '{"time":"10:00:00","level":"info","event":"start"}',
      '{"time":"10:00:01","level":"error","event":"timeout","job":"build-7","ms":3000}',
      '{"time":"10:00:04","level":"error","event":"timeout","job":"lint","ms":12000}',
      '{"time":"10:00:09","level":"info","event":"stop"}',
      '{"time":"10:00:11","level":"error","event":"timeout","job":"docs","ms":100}',
    ].join("\n"),
    examples: [
      one('{"time":"10:00:01","level":"error","event":"timeout","job":"build-7","ms":3000}', "build-7", {
        ms: "3000",
      }),
      one('{"time":"10:00:04","level":"error","event":"timeout","job":"lint","ms":12000}', "lint", {
        ms: "12000",
      }),
    ],
    expected: [
      [2, "build-7", { ms: "3000" }],
      [3, "lint", { ms: "12000" }],
      [5, "docs", { ms: "100" }],
    ],
    unseen: [
      '{"level":"error","ms":5,"job":"a \\"quoted\\" job","event":"timeout","time":"11:00:00"}',
      '{"time":"11:00:01","level":"info","event":"done","ms":9}',
    ].join("\n"),
    found: [[1, 'a "quoted" job', { ms: "5" }]],
  },
  {
    name: "XML",
    log: [
      '<?xml version="1.0"?>',
      "<testsuite>",
      '  <testcase name="adds" time="0.1">',
      "    <failure>expected 4 &lt; 5</failure>",
      "  </testcase>",
      '  <testcase name="divides" time="0.2">',
      "    <failure>by zero</failure>",
      "  </testcase>",
      '  <testcase name="passes" time="0.3"/>',
      '  <testcase name="rounds" time="0.4">',
      "    <failure>off by one</failure>",
      "  </testcase>",
      "</testsuite>",
    ].join("\n"),
    examples: [
      ex(
        '  <testcase name="divides" time="0.2">\n    <failure>by zero</failure>\n---\nvalue: divides\nfailure: by zero',
      ),
      ex(
        '  <testcase name="rounds" time="0.4">\n    <failure>off by one</failure>\n---\nvalue: rounds\nfailure: off by one',
      ),
      one('  <testcase name="passes" time="0.3"/>'),
    ],
    expected: [
      [3, "adds", { failure: "expected 4 < 5" }],
      [6, "divides", { failure: "by zero" }],
      [10, "rounds", { failure: "off by one" }],
    ],
    unseen: [
      '<testsuite><testcase time="9" name="one line"><failure><![CDATA[a & b]]></failure></testcase>',
      '<testcase name="fine"/></testsuite>',
    ].join("\n"),
    found: [[1, "one line", { failure: "a & b" }]],
  },
  {
    name: "CSV",
    log: [
      "file,line,rule,text",
      "a.v,10,W1,unused wire",
      "b.v,22,W7,latch inferred",
      "c.v,3,W1,unused wire",
      "d.v,41,E2,width mismatch",
    ].join("\n"),
    files: (log) => ({ "out/report.csv": log }),
    patterns: "`*.csv`",
    examples: [
      one("a.v,10,W1,unused wire", "W1", { file: "a.v", line: "10" }),
      one("b.v,22,W7,latch inferred", "W7", { file: "b.v", line: "22" }),
    ],
    expected: [
      [2, "W1", { file: "a.v", line: "10" }],
      [3, "W7", { file: "b.v", line: "22" }],
      [4, "W1", { file: "c.v", line: "3" }],
      [5, "E2", { file: "d.v", line: "41" }],
    ],
    unseen: ["file,line,rule,text", "e.v,999,E9,text of several words", "see also: f.v"].join("\n"),
    found: [[2, "E9", { file: "e.v", line: "999" }]],
  },
  {
    name: "a compressed log",
    log: [
      "[001] link eth0 down after 12 s",
      "[002] link eth1 up",
      "[003] link eth4 down after 340 s",
      "[004] idle",
    ].join("\n"),
    files: (log) => ({ "net.log.gz": gzipSync(log) }),
    patterns: "`*.log.gz`",
    examples: [one("[001] link eth0 down after 12 s", "eth0", { seconds: "12" })],
    expected: [
      [1, "eth0", { seconds: "12" }],
      [3, "eth4", { seconds: "340" }],
    ],
    unseen: ["[100] link wlan0 down after 7 s", "[101] link wlan0 down"].join("\n"),
    found: [[1, "wlan0", { seconds: "7" }]],
  },
];
