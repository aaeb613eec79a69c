// Which part of an example line a name means by its sense alone, and where a part ends that no mark sets apart: process numbers,
// addresses without their port, sentences, numbers with marks in them, cells between colons.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { assign } from "../../../src/author/offline/parts/assign.ts";

/** The texts of the value and the fields on the page's first example. */
function partsOf(example: string, value: string, fields: string, tail = ""): string[] {
  const page = readPage(
    `- \`${example}\`${tail}\n- **value**: ${value}.\n- **Fields**: ${fields}.`,
    "`x.log`",
  );
  const [group] = page.groups;
  const line = group?.examples[0]?.lines[0] ?? "";
  const { placed } = assign(line, group?.value, group?.fields ?? [], page.lists);
  return [group?.value, ...(group?.fields ?? [])].flatMap((hint) => {
    const one = placed.find((own) => own.hint === hint);
    return hint === undefined ? [] : [one === undefined ? "-" : line.slice(one.span.start, one.span.end)];
  });
}

const GATE =
  '[2024-02-02 10:00:00.120] [1200] gate gw9.example.net (192.0.2.14:50100) opened "Front 1" for badge 10-0001 after 340 ms';
const SHARE =
  "2024-05-05 10:00:00,120 WARN  auth-1     Access refused for 'joe' on share \"foo\". Cause: No such token here. <ip 10.0.0.5>";
const STORE = "/srv/foo:/dev/vd99:xfs:1.0.2::CLEAN:R:Foo Store Area:";
const SERVED = "2011/01/01 10:00:00 [1000] give box.example.com [192.0.2.1] pub () db/main.db 1048576";

const JOBS = "node alpha at 192.0.2.1:9000 is UP | 12 jobs below /srv/q";

const TABLE: [string, string[]][] = [
  ["the badge", partsOf(GATE, "the badge", "`pid`, `ip`, `port`, `took` (340)")],
  [
    "the cause",
    partsOf(
      SHARE,
      "the user",
      '`cause` (the sentence after "Cause:", without its full stop), `client` (the address)',
    ),
  ],
  [
    "cells between colons",
    partsOf(
      STORE,
      "the device",
      "`mount`, `release`, `text`",
      " - mount, device, kind, release, id, state, flag, text, key.",
    ),
  ],
  [
    "a front that no list names",
    partsOf(
      SERVED,
      "the file",
      "`client` (the address), `module`, `bytes` (1048576), `pid`",
      " - process id, client name and address, module, user in parentheses, file, size.",
    ),
  ],
  [
    "a day and its time",
    partsOf("pool-9   ONLINE   75.0%   last scrub 2024-01-05 03:00", "the pool", "`state`, `last_scrub`"),
  ],
  [
    "line and column",
    partsOf('"src/foo.c", line 12.5: warning C9001: macro FOO is unused', "the code", "`line`, `severity`"),
  ],
  [
    "a shown number",
    partsOf("--- BAD: LoginCase (0.03s)", "the test, inner ones with their full name", "`seconds` (0.03)"),
  ],
  [
    "a mark",
    partsOf(
      "  Rx Level     -30.45 dBm --    2.00 dBm  -13.90 dBm",
      "the reading with its unit (-30.45 dBm)",
      "`mark`",
    ),
  ],
  [
    "a letter",
    partsOf(
      "W-VERX-1330: top.v(51): bit length differs",
      "the message ID without the severity (`VERX-1330`)",
      "`severity` (the letter)",
    ),
  ],
  [
    "the former and the latter",
    partsOf(
      JOBS,
      "the address, without its port",
      "`jobs`, `root`. The former is the number behind the bar; the latter is the path at the end",
    ),
  ],
  [
    "texts in this order",
    partsOf(
      JOBS,
      "the address, without its port",
      "`state`, `jobs`, `root`. The texts are UP, 12 and /srv/q, in this order",
    ),
  ],
  [
    "a port with a field of its own",
    partsOf(JOBS, "the address of the node; the port has its own field", "`port`, `state`"),
  ],
  ["where it ends", partsOf(JOBS, "the address. It ends at the colon", "`port` (behind it), `state`")],
  [
    "the second column",
    partsOf(STORE, "the second column, the device", "`path` (first column), `version` (fourth)"),
  ],
];

const MEANT: Record<string, string[]> = {
  "the badge": ["10-0001", "1200", "192.0.2.14", "50100", "340"],
  "the cause": ["joe", "No such token here", "10.0.0.5"],
  "cells between colons": ["/dev/vd99", "/srv/foo", "1.0.2", "Foo Store Area"],
  "a front that no list names": ["db/main.db", "192.0.2.1", "pub", "1048576", "1000"],
  "a day and its time": ["pool-9", "ONLINE", "2024-01-05 03:00"],
  "line and column": ["C9001", "12", "warning"],
  "a shown number": ["LoginCase", "0.03"],
  "a mark": ["-30.45 dBm", "--"],
  "a letter": ["VERX-1330", "W"],
  "the former and the latter": ["192.0.2.1", "12", "/srv/q"],
  "texts in this order": ["192.0.2.1", "UP", "12", "/srv/q"],
  "a port with a field of its own": ["192.0.2.1", "9000", "UP"],
  "where it ends": ["192.0.2.1", "9000", "UP"],
  "the second column": ["/dev/vd99", "/srv/foo", "1.0.2"],
};

for (const [name, found] of TABLE) test(name, () => expect(found).toEqual(MEANT[name] ?? []));
