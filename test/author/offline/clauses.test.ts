// What a page calls the value and the fields, in the wordings that people use for it.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";

/** The value's name, then the fields' names; a question mark behind those that may be missing. */
function namesOf(text: string): string {
  const { groups } = readPage(text, "`x.log`");
  return groups
    .map(
      (one) =>
        `${one.value?.name ?? "-"} | ${one.fields.map((hint) => hint.name + (hint.optional ? "?" : "")).join(", ")}`,
    )
    .join(" || ");
}

const WORDINGS: [string, string][] = [
  ["Value is the name; the only field is date, all of the text behind the colon.", "name | date"],
  ["The value is the code, the only field is the text behind the tag.", "code | text"],
  ["The value is the code and its single field the level.", "code | level"],
  ["The value is the host name; one field, port, the number behind the colon.", "host_name | port"],
  [
    "Value: the step name. Field: reason, the statement in front without its closing comma or full stop; it is absent where the line begins with Skipping.",
    "step_name | reason?",
  ],
  [
    "The value is the interface name. Fields: facility (LINK or PROTO), severity (the digit after it) and state, in full.",
    "interface_name | facility, severity, state",
  ],
  ["Value is the city. Fields: state, latd and lond, that is, only the degrees.", "city | state, latd, lond"],
  ["Value is the city. Fields: state, latd and lond, i.e. only the degrees.", "city | state, latd, lond"],
  [
    "Fields are the used size, the free size and the share, each with its unit. Value is the disk.",
    "disk | used_size, free_size, share",
  ],
  [
    "The value is the region name; the fields are used, size and percent, sizes with their unit and percent as printed with its sign.",
    "region_name | used, size, percent",
  ],
  [
    "The value is the full name. Fields: luts_own, luts_total and, from the block RAM column, bram_total.",
    "full_name | luts_own, luts_total, bram_total",
  ],
  [
    "Value is the pad name. Fields: pad, drn1, src1 and, for low-voltage pads only, drn2, src2 and b2b.",
    "pad_name | pad, drn1, src1, drn2?, src2?, b2b?",
  ],
  [
    "Value is the module; fields are id, pcbcount and rcvbuf, named like the columns.",
    "module | id, pcbcount, rcvbuf",
  ],
  [
    "The address is the value; the jail and the process number of the daemon are the fields `jail` and `pid`.",
    "address | jail, pid",
  ],
  [
    "Extract the instance as value, as printed, and the condition without its quotes as field enable.",
    "instance | enable",
  ],
  [
    "Each such region is an item with the name from the headline as its value. Take as fields the number of instances (instances), the region area (area) and the utilization, numbers without unit.",
    "name | instances, area, utilization",
  ],
  [
    "Every missing connection is one item with the bump pin as its value. Fields are the net, the first terminal behind the arrow (first_target) and the number of possible_terminals, if it is given at the end of the line.",
    "bump_pin | net, first_target, possible_terminals?",
  ],
  [
    "Value is the address of the peer as printed; field forwarded_for is the content of the header, one address or several.",
    "address | forwarded_for",
  ],
  [
    "The value is the requested path; the fields are client and bytes, the size of the body, i.e. the number right after the status.",
    "requested_path | client, bytes",
  ],
  [
    "The value is the library cell and the field role is what it was selected for, in the words of the log.",
    "library_cell | role",
  ],
  [
    "The value is the mail address of the sender; fields are recipient, likewise without brackets, and address, the IP address of the client.",
    "mail_address | recipient, address",
  ],
  ["The value is the user. Record pid and tty as fields.", "user | pid, tty"],
  ["The value is the user; take pid and tty as its fields.", "user | pid, tty"],
  ["The user name is the value, with pid and tty as fields.", "user_name | pid, tty"],
  ["Use the user name as the value and pid and tty as the fields.", "user_name | pid, tty"],
  ["As value we take the user name, as fields pid and tty.", "user_name | pid, tty"],
  ["For the value take the user name, for the fields pid and tty.", "user_name | pid, tty"],
  ["What we need is the user name (value) together with pid and tty (fields).", "user_name | pid, tty"],
  ["The value of an item is the user name. Its fields are the pid and the tty.", "user_name | pid, tty"],
  ["Report the user name as value. Further fields: pid, tty (may be missing).", "user_name | pid, tty?"],
  ["Value: the user name; fields: pid, tty and, if there is one, host.", "user_name | pid, tty, host?"],
  [
    "Value: the user name. Field pid: the number in brackets. Field tty: the last word.",
    "user_name | pid, tty",
  ],
  [
    "Value: the user name. The field pid is the number in brackets, tty the last word.",
    "user_name | pid, tty",
  ],
  ["The user name becomes the value, pid and tty go into fields.", "user_name | pid, tty"],
  ["The user name becomes the value, pid and tty become fields of the same names.", "user_name | pid, tty"],
  ["Value is the user name and fields are pid and tty.", "user_name | pid, tty"],
  ["Take the user name for the value; pid and tty are wanted as fields.", "user_name | pid, tty"],
  ["The value is the user name, fields pid and tty.", "user_name | pid, tty"],
  ["Value is the user name. There are two fields, pid and tty.", "user_name | pid, tty"],
  ["Value is the user name. There is one field: pid.", "user_name | pid"],
  ["Value is the user name. Fields: pid, tty. No other fields.", "user_name | pid, tty"],
  ["Value is the user name. Fields are pid and tty; the rest does not matter.", "user_name | pid, tty"],
  ["Value is the user name, field the pid.", "user_name | pid"],
  [
    "Value is the path without the drive letter, fields are size (in bytes, no unit) and owner.",
    "path | size, owner",
  ],
  [
    'Value is the mount point, i.e. the text after "on". Fields: device, type and options (in parentheses, without them).',
    "mount_point | device, type, options",
  ],
  [
    "Each test is a record: value the test name, fields result and time (seconds, number only).",
    "test_name | result, time",
  ],
  [
    "Each test is a record whose value is the test name and whose fields are result and time.",
    "test_name | result, time",
  ],
  [
    "The record's value is the test name, its fields are result and seconds (the time).",
    "test_name | result, seconds",
  ],
  ["Fields: `pid`, `tty`. Value: the user name.", "user_name | pid, tty"],
  ["Value: user name. Fields: pid; tty (optional); host, if given.", "user_name | pid, tty?, host?"],
  ["Fields are from, to and size, all as printed. The value is the user name.", "user_name | from, to, size"],
  ["Value is the message after the mark. Fields: pid and role, the letter.", "message | pid, role"],
  [
    "The value is the unit, and the fields are `load`, `active` and `sub`, taken from the columns of these names.",
    "unit | load, active, sub",
  ],
  ["Value is the unit; as fields we want load, active and sub.", "unit | load, active, sub"],
  ["Value is the unit; we also want load, active and sub as fields.", "unit | load, active, sub"],
  [
    "Value is the file name. Fields are line, column (both numbers) and message, the rest of the line.",
    "file_name | line, column, message",
  ],
  ["The path is the value and the signature the field `sig`.", "path | sig"],
  [
    "The host is the value. The fields, all without quotes, are ip, user (absent when nobody was logged in) and url.",
    "host | ip, user?, url",
  ],
  [
    "The value is the login; report uid and shell as fields, and the comment as well if it is not empty.",
    "login | uid, shell, comment?",
  ],
  [
    "The value is the name. The fields are id, since (the rest of the status) and code.",
    "name | id, since, code",
  ],
  [
    "Value: the code. Fields: file, line and text, where the text is what follows the place and its colon.",
    "code | file, line, text",
  ],
  // Names among texts shown for them.
  [
    "- Value: the pump\n- Fields, left to right:\n  - `zone`: first word, Z1\n  - `rate`: 12",
    "pump | zone, rate",
  ],
  [
    "- Value: the pump\n- The fields are\n  - `zone` - content of the `@(...)`, e.g. `north dock`",
    "pump | zone",
  ],
  [
    "- Value: the pump\n- Fields come from the nearest `head` record above:\n  - `kind`: `main`, `spare` or `test`\n  - `mode`: the name in brackets, `auto` (or `hand`)",
    "pump | kind, mode",
  ],
  [
    "Value: the pump. Fields: `rev`: behind the colon (0.3.4); `site`: in front of the hash; `note`, which some lack.",
    "pump | rev, site, note?",
  ],
  [
    "- Value: the pump\n- Fields: `shift`, the number in the bracket of that name. Add `user` and `list` if the line has them, here `ann@dock.example` and `board`.",
    "pump | shift, user?, list?",
  ],
  ["- Value: the pump\n- Fields: `rate`. `none` is printed where there is no rate.", "pump | rate"],
  ["- Value: the pump\n- Fields: both coordinates, `x` then `y`, with the unit (`3um`).", "pump | x, y"],
  [
    "- Value: the pump\n- Fields: both come from the second line. `form` is the kind in front of the colon and `flat` is the number behind it.",
    "pump | form, flat",
  ],
  [
    "- Value: the pump\n- Fields: `zone` (3) and the two columns behind it: `rate`, `load`.",
    "pump | zone, rate, load",
  ],
  [
    "- Fields: `zone` and `rate`.\n- Value: the pump. A line in which the fields are north and 12:",
    "pump | zone, rate",
  ],
  [
    "Fields are number, node and place: the number of the pump, the node of its source and the coordinates of it. Value is the pump.",
    "pump | number, node, place",
  ],
  [
    "Each row gives the pump type (the value, may be several words), then `count`, then `area`.",
    "pump_type | count, area",
  ],
  [
    "One record per pump (first column, the value). The other columns are the fields `a` and `b`.",
    "pump | a, b",
  ],
  ["Report each pump, the value being the pin before the arrow. Fields: net.", "pin | net"],
  [
    "Each gives a record with the name as its value (keep the dot), and with the fields `a`, the data, and `b`.",
    "name | a, b",
  ],
  [
    "We record the pump as the value. From the same line come the fields `a` (the file) and `b`.",
    "pump | a, b",
  ],
  [
    "Value is the pump. Fields: start and end, the first and the last hour of its shift.",
    "pump | start, end",
  ],
  [
    "Value is the pump. The fields are lat and lon, the degrees of latitude and longitude, and state.",
    "pump | lat, lon, state",
  ],
  ["Every pump is a record and the serial number at its end is the value. Fields: `a`.", "serial_number | a"],
  [
    "Only rows count in which LISTEN is an absolute path, and this path is the value. Fields: `a`.",
    "path | a",
  ],
  ["We want those that were checked and have the state: the pump is the value. Fields: `a`.", "pump | a"],
  ["The tenth is the driver; the path follows as the eleventh and is the value. Fields: `a`.", "path | a"],
];

test.each(WORDINGS)("%s", (text, names) => {
  expect(namesOf(text)).toBe(names);
});

const MISSING: [string, string][] = [
  ["Fields: `a` and, unless the rule has none, `b`.", "a, b?"],
  ["Fields: `a` and, where the row has one, `b`.", "a, b?"],
  ["Fields: `a`, `b` (either can be missing), `c`.", "a?, b?, c"],
  ["Fields: `a`, `b`, `c`. The last two are often blank.", "a, b?, c?"],
  ["Fields: `a`, `b`; each may be missing.", "a?, b?"],
  ["Fields: `a`, `alias`. Where no alias is defined the second line is missing.", "a, alias?"],
  ["Fields: `a`, `reason`. Some stops come without it, and then the field is left out.", "a, reason?"],
  [
    "Fields: `file`, `line`, `rate`. A message without file and line occurs; it is reported like the others.",
    "file?, line?, rate",
  ],
  ["- Fields:\n  - `a`: the text behind the command, if any\n  - `b`: the name", "a?, b"],
  ["Fields: `a`, `b`, which spare pumps do not have.", "a, b?"],
  ["Fields: `a` (3), `b` (11:12; a pump that is down prints none).", "a, b?"],
  ["Fields: `a`, `b`, whenever the row has one.", "a, b?"],
  ["Fields: `a`, the star included where there is one.", "a"],
  ["Fields: `a`, zone included if there.", "a"],
  ["Fields: `net_address`, `b`. Some pumps have an empty address.", "net_address?, b"],
];
test.each(MISSING)("parts that may be missing: %s", (text, names) => {
  const [group] = readPage(`Value: the pump. ${text}`, "`x.log`").groups;
  expect(group?.fields.map((hint) => hint.name + (hint.optional ? "?" : "")).join(", ")).toBe(names);
});

test("the noun in other senses says nothing of the value or the fields", () => {
  const text =
    "The fields are separated by tabs. A counter with the value 0 is skipped. Value is the host. Field: port.";
  expect(namesOf(text)).toBe("host | port");
});

test("a page that wants no fields names none", () => {
  expect(namesOf("Value is the host. Fields: none beside the value are needed.")).toBe(
    namesOf("Value is the host."),
  );
});

test("a sentence that takes an example apart shows the texts of its parts and opens no second kind of record", () => {
  const { groups } = readPage(
    "- **value**: the switch.\n- **Fields**: `file` and `site`.\n\nExample: `[On Dock 3] a/b.c:7: unused x [-Wq]` has the value `-Wq`, the site Dock 3 and the file a/b.c.",
    "`x.log`",
  );
  expect(groups).toHaveLength(1);
  expect(groups[0]?.examples.map(({ lines }) => lines)).toEqual([["[On Dock 3] a/b.c:7: unused x [-Wq]"]]);
  expect(groups[0]?.value?.literals).toEqual(["-Wq"]);
  expect(groups[0]?.fields.map(({ literals }) => literals)).toEqual([["a/b.c"], ["Dock 3"]]);
});

test("a short text that holds the text shown for the value is an example line", () => {
  const [group] = readPage(
    "Each line has a pump and its state: `p042,down*`. Value: the pump (p042).",
    "`x.log`",
  ).groups;
  expect(group?.examples.map(({ lines }) => lines)).toEqual([["p042,down*"]]);
  expect(group?.wanted).toEqual([]);
});

test("all texts that a part may have, of several words each", () => {
  const [group] = readPage(
    "Value: the words after `Stop #1:`, that is one of OPEN VALVE, LEAK, POSSIBLE LEAK. Fields: `rate`.",
    "`x.log`",
  ).groups;
  expect(group?.value?.choices).toEqual(["OPEN VALVE", "LEAK", "POSSIBLE LEAK"]);
});
