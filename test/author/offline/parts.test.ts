// Which part of an example line is which value or field, in the wordings that people use for it. No log is looked at:
// what the page says of its own example must do.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { assign } from "../../../src/author/offline/parts/assign.ts";

/** The parts of the page's first example, value first. */
function partsOf(text: string): string[] {
  const page = readPage(text, "`x.log`");
  const [group] = page.groups;
  const line = group?.examples[0]?.lines[0] ?? "";
  const { placed } = assign(line, group?.value, group?.fields ?? [], page.lists);
  const named = (name: string): string => {
    const one = placed.find(({ hint }) => hint.name === name);
    return one === undefined ? "-" : line.slice(one.span.start, one.span.end);
  };
  return [group?.value, ...(group?.fields ?? [])].flatMap((hint) =>
    hint === undefined ? [] : named(hint.name),
  );
}

const SHOWN: [string, string[]][] = [
  [
    '- `4242 open("/etc/rc", MODE) = -1 EBADF (Bad handle)`\n- value: the call (open)\n- Fields: `error` (the name behind -1, EBADF), `reason` (in parentheses at the end, Bad handle)',
    ["open", "EBADF", "Bad handle"],
  ],
  [
    "- `Case '-[LampTests test_dim]' passed (0.021 seconds).`\n- value: second word in the brackets, test_dim\n- Fields: `suite` (first word in the brackets, LampTests), `seconds` (the duration, 0.021)",
    ["test_dim", "LampTests", "0.021"],
  ],
  [
    '- `PUT /in => made 215 bytes in 68 micros (HTTP/1.1 200) 9 headers in 378 bytes`\n- value: the path, "/in" in the example\n- Fields: `bytes` (the 215 made), `time` and its `unit` (68 and micros), `status` (200)',
    ["/in", "215", "68", "micros", "200"],
  ],
  [
    "- `lamp [mod=a9 opId=ab3-h5:7001-60] START job-7 -- Collector`\n- value: the job, e.g. job-7\n- Fields: `op_id` (all of ab3-h5:7001-60), `manager` (Collector)",
    ["job-7", "ab3-h5:7001-60", "Collector"],
  ],
  [
    "- `x (reject): [16.20/15.00] [RULE_A(5.10)], len: 33`\n- value: the rule, RULE_A\n- Fields: `score` and `required` (the two numbers of [16.20/15.00])",
    ["RULE_A", "16.20", "15.00"],
  ],
  [
    '- `DISCOVER from 00:00:5e:00:53:c3 via eth1: network B_net: no free leases`\n- value: the client, behind "from"\n- Fields: `interface` (eth1), `network` (B_net)',
    ["00:00:5e:00:53:c3", "eth1", "B_net"],
  ],
];

const CUT: [string, string[]][] = [
  [
    "- `[2024-03-02 17:38:19] Name or code is wrong. IP: 198.51.100.20. Login: ann@mail.example.`\n- value: user behind `Login:`; drop the final dot.\n- Fields: `ip`",
    ["ann@mail.example", "198.51.100.20"],
  ],
  [
    "- `lathe 77 /srv/cache/ab12 (gone)`\n- value: the path, leaving out the ` (gone)` behind it\n- Fields: `pid`",
    ["/srv/cache/ab12", "77"],
  ],
];

const BESIDE: [string, string[]][] = [
  [
    "- `Refused: '\"12\" <12@pbx.example>' turned down for '203.0.113.8' - Wrong name`\n- value: the IP address that was \"turned down for\"\n- Fields: `reason` (what comes after the dash)",
    ["203.0.113.8", "Wrong name"],
  ],
  [
    '- `c9 W524: ["C:\\Work\\io\\Port.c" 242/36] conversion of integer`\n- value: the message number, W524\n- Fields: `line` and `column`: the numbers before and after the slash',
    ["W524", "242", "36"],
  ],
  [
    "- `-V{t0,7}     Suspending process for @(negedge top.rst) at rtl/fifo.sv:112`\n- value: the source location, `rtl/fifo.sv:112`\n- Fields:\n  - `event` - content of the `@(...)`, e.g. `negedge top.rst`",
    ["rtl/fifo.sv:112", "negedge top.rst"],
  ],
  [
    " - ` 7/31 Check  #7: net.resolve ......***Failed    2.04 sec`\n- value: check name\n- Fields: `number` (after the `#`), `result` (what follows the stars, e.g. Failed, Late), `time` (the seconds)",
    ["net.resolve", "7", "Failed", "2.04"],
  ],
];

test.each([...SHOWN, ...CUT, ...BESIDE])("%s", (page, parts) => {
  expect(partsOf(page)).toEqual(parts);
});
