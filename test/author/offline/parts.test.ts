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

const READ_OUT: [string, string[]][] = [
  [
    "- `/* Made by Miller 0.33 (git sha1 2584903a060, cc 13.0.1) */`\n- value: the maker with its version, as in `Miller 0.33`\n- Fields: `tool` (Miller), `version` (0.33), `revision` (the git sha1)",
    ["Miller 0.33", "Miller", "0.33", "2584903a060"],
  ],
  [
    '- `Reading "demo_fd__nand3_4".`\n- value: the cell between the quotes\n- Fields: `library`: the name up to the double underscore, here `demo_fd`. Names that have none lack this field.',
    ["demo_fd__nand3_4", "demo_fd"],
  ],
  [
    "- `[shop/cart.proto:31:1] Imports are not sorted.`\n- value: the message\n- Fields: `file`, `line` and `column`, the two numbers after the file (31 and 1)",
    ["Imports are not sorted.", "shop/cart.proto", "31", "1"],
  ],
  [
    "- `WARN  [WorkerSender[myid=7]:Manager@368] - Cannot reach 9 at /192.0.2.19:3888`\n- value: the address and port after the slash (`192.0.2.19:3888`)\n- Fields: `thread` (the name before the inner bracket, WorkerSender), `my_id` (7)",
    ["192.0.2.19:3888", "WorkerSender", "7"],
  ],
  [
    "- `failure; rhost=198.51.100.9 user=alice@pve msg=no such user ('alice@pve')`\n- value: the address after `rhost=`\n- Fields: `user` (alice), `realm` (pve)",
    ["198.51.100.9", "alice", "pve"],
  ],
  [
    "- `Can't find user [101@198.51.100.154] from 192.0.2.3`\n- value: the address at the end (192.0.2.3)\n- Fields: `user` and `domain`, the two sides of the at sign in the brackets",
    ["192.0.2.3", "101", "198.51.100.154"],
  ],
  [
    "- value: the unit; Fields: `target` and `config`. In `==== Made:  tools/bar  arm-gcc9 Release` these are tools/bar, arm-gcc9 and Release.",
    ["tools/bar", "arm-gcc9", "Release"],
  ],
  [
    '- value: the rule, in the last bracket but one\n- Fields: `file`, `line` and `message`\n\n`c:\\a\\k.h(93):  Missing space before {  [white/braces] [5]` therefore gives the value `white/braces`, line 93 and the message "Missing space before {".',
    ["white/braces", "c:\\a\\k.h", "93", "Missing space before {"],
  ],
  [
    '- `  app/bar.rb:46: LongName: Bar#quux has a long name (shorten it?) [https://example.org/Long.md]`\n- value: the kind of smell, e.g. LongName\n- Fields: `line` (46), `message` (from "Bar#quux" to "it?)", without the link at the end)',
    ["LongName", "46", "Bar#quux has a long name (shorten it?)"],
  ],
];

const CUT: [string, string[]][] = [
  [
    "- `Cell 1: Draining, 98%, 01:43:14 left`\n- value: text before the colon, `Cell 1`\n- Fields:\n  - `remark`: everything behind the second comma\n  - `charge`: the percentage without its sign",
    ["Cell 1", "01:43:14 left", "98"],
  ],
  [
    "- `  /project/lib/bar.js:27:14: Strings must match.`\n- value: the full path of the file\n- Fields: `line` (27), `column` (14), `message`",
    ["/project/lib/bar.js", "27", "14", "Strings must match."],
  ],
  [
    '- `Slot0003* opensuse-boot`\n- value: the label ("opensuse-boot")\n- Fields: `number` (0003, hexadecimal)',
    ["opensuse-boot", "0003"],
  ],
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
    "- `|LAG7   |Up|Dis| DIS|FWD |FWD | 8|T |  0| 0|0030D04:51:46|` - Name, Op, STP, Role, RSTP state, STP state, ..., uptime\n- value: Name\n- Fields, without padding: `uptime` (last column), `rstp_state` (fifth), `op` (second, `Up` or `--`)",
    ["LAG7", "0030D04:51:46", "FWD", "Up"],
  ],
  [
    "- `x.v:83: $readh: Finish address 16 is out of bounds for 'top.rom'!`\n- value: the memory between the quotes (top.rom)\n- Fields: `bound` (which of the two addresses, Start or Finish), `address` (16, may be negative)",
    ["top.rom", "Finish", "16"],
  ],
  [
    "- `2023-03-05T04:05:06.789Z CLOSE host=203.0.113.9 port=40022 time=20.015 bytes=22`\n- value: the client after `host=`\n- Fields: `time` (in seconds), `bytes` and `port`, each by its key",
    ["203.0.113.9", "20.015", "22", "40022"],
  ],
  [
    "- `Dec 03 09:10:11 web[2222]: info [robot lists.example] [session 11112222] [client 198.51.100.3]`\n- value: the address of the client (`198.51.100.3`)\n- Fields: `session`, the number in the bracket of that name",
    ["198.51.100.3", "11112222"],
  ],
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

test.each([...SHOWN, ...READ_OUT, ...CUT, ...BESIDE])("%s", (page, parts) => {
  expect(partsOf(page)).toEqual(parts);
});
