// Which fields may be missing, in many wordings: in front of a name in the list of fields, behind it, and in sentences of
// their own.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";

function optionalOf(fields: string, more = ""): string[] {
  const page = readPage(
    `Runs of the tool.\n\n- Row: \`alpha   12  9  SIGTERM\`\n- **value**: the name.\n- **Fields**: ${fields}\n${more === "" ? "" : `- ${more}\n`}`,
    "`run.log`.",
  );
  return page.groups.flatMap((group) =>
    group.fields.filter(({ optional }) => optional).map(({ name }) => name),
  );
}

test.each([
  "`lines`, `exec` (the share) and, where lines are missing, `signal`.",
  "`lines`, `exec` and, in case the run was stopped, `signal`.",
  "`lines`, `exec`, and, for failed runs, `signal`.",
  "`lines`, `exec`, and for failed runs also `signal`.",
  "`lines`, `exec` and, whenever the run failed, `signal` (the text).",
  "`lines`, `exec` and, only with failed runs, `signal`.",
  "`lines`, `exec`, on failure `signal`.",
  "`lines`, `exec`, plus `signal` for those that failed.",
  "`lines`, `signal` (the number, if the shell gave one), `exec`.",
  "`lines`, `signal` (the number behind the slash, if a slash follows), `exec`.",
  "`lines`, `signal` (the number, where the tool knows it), `exec`.",
  "`lines`, `signal` (a dash stands for nothing; leave the field out then), `exec`.",
  "`lines`, `signal` (nothing if the run passed), `exec`.",
])("a part of the list that some lack: %s", (fields) => {
  expect(optionalOf(fields)).toEqual(["signal"]);
});

test.each([
  "Runs that passed have nothing in the last column; they are items as well.",
  "The last field is empty where the run passed.",
  "Only failed runs have a signal; all runs are items.",
  "A run that passed has an empty last column and is an item like any other.",
  "Nothing stands in the signal column of runs that passed.",
  "Runs without a signal are listed as well.",
  "Signal: only when the run failed.",
  "Where no signal was sent, the cell stays empty.",
])("a sentence on the part that some lack: %s", (text) => {
  expect(optionalOf("`lines`, `exec`, `signal`.", text)).toEqual(["signal"]);
});

test.each([
  ["`lines`, `exec`, `signal` (the number in brackets if brackets are there, else the last word).", ""],
  ["`lines`, `exec`, `signal` (with its unit where there is one).", ""],
  ["`lines`, `exec` and, where the bracket ends, `signal`.", ""],
  ["`lines`, `exec`, and for each run the `signal`.", ""],
  ["`lines`, `exec`, `signal`.", "Runs without a signal are not wanted."],
  ["`lines`, `exec`, `signal`.", "Runs that have nothing in the last column are not wanted."],
  ["`lines`, `exec`, `signal`.", "Only runs that have a signal are wanted."],
  ["`lines`, `exec`, `signal`.", "If a run failed, its signal is printed in hexadecimal."],
])("nothing says that a part may be missing: %s %s", (fields, more) => {
  expect(optionalOf(fields, more)).toEqual([]);
});
