// Which files of a tree section 4.1 wants, in the wordings that people use for it.

import { expect, test } from "bun:test";
import { inNamedFolders, patternsFor } from "../../../src/author/offline/logs/choose-files.ts";
import { globMatches } from "../../../src/author/offline/logs/observe.ts";
import { readPage } from "../../../src/author/offline/page/page.ts";

const TREE = [
  "north/pump.log",
  "south/pump.log",
  "north/valve.log",
  "north/log.daemon",
  "north/old/pump.log",
  "run/a.pmp",
];

/** The files that are read, joined; those that only a looser pattern would find are not among them. */
function read(section41: string): string {
  const { files, fileClauses } = readPage("Value: the pump.", section41);
  const listed = files
    .filter((one) => one.wanted)
    .flatMap(({ glob }) =>
      TREE.filter((path) => globMatches(glob, path)).map((path) => ({ path, glob: `**/${glob}` })),
    )
    .filter(({ path }) => !files.some((one) => !one.wanted && globMatches(one.glob, path)));
  return inNamedFolders(listed, fileClauses)
    .map(({ path }) => path)
    .sort()
    .join(" ");
}

const WORDINGS: [string, string][] = [
  ["`pump.log`.", "north/old/pump.log north/pump.log south/pump.log"],
  ["`pump.log` in south.", "south/pump.log"],
  ["In south, `pump.log`.", "south/pump.log"],
  ["`pump.log` in the directory `south` of each plant.", "south/pump.log"],
  ["`pump.log` of the plants north and south.", "north/old/pump.log north/pump.log south/pump.log"],
  ["One `pump.log` per plant directory (north, south).", "north/old/pump.log north/pump.log south/pump.log"],
  ["`pump.log`. The one in south is not used.", "north/old/pump.log north/pump.log"],
  [
    "`pump.log` in north. The file of the same name in `old` comes from a former plant and is not read.",
    "north/pump.log",
  ],
  [
    "`pump.log`. `south` has such a file too, but that plant was closed and is not wanted.",
    "north/old/pump.log north/pump.log",
  ],
  [
    "`pump.log`. There is one for south, too, which is not used. Copies below `old` do not count.",
    "north/pump.log",
  ],
  ["Use `valve.log`. Its neighbour `pump.log` names no owners; leave it alone.", "north/valve.log"],
  [
    "`valve.log`. Similar lines in `pump.log` come from an older plant; that file is not read.",
    "north/valve.log",
  ],
  ["`valve.log`; next to it may be a report, `pump.log`; do not read that.", "north/valve.log"],
  ["`valve.log`. Leave the `pump.log` of the pumps alone.", "north/valve.log"],
  ["`valve.log`; not `pump.log` of the pumps beside it.", "north/valve.log"],
  [
    "south has `pump.log`; north has `log.daemon`, written by the daemon itself.",
    "north/log.daemon south/pump.log",
  ],
  ["`pump.log` in south (pumps), `valve.log` in north.", "north/valve.log south/pump.log"],
  ["The `.pmp` file of each run.", "run/a.pmp"],
  ["The report `valve.log`, table Ignored Valves.", "north/valve.log"],
];

test.each(WORDINGS)("%s", (text, paths) => {
  expect(read(text)).toBe(paths);
});

test("patterns find the kept files and none of the others", () => {
  const find = (kept: string[], dropped: string[]): string[] =>
    patternsFor("**/*.log", kept, dropped, globMatches);
  expect(find(["a/x.log", "b/y.log"], [])).toEqual(["**/*.log"]);
  expect(find(["a/x.log", "b/x.log"], ["a/y.log"])).toEqual(["**/x.log"]);
  expect(find(["a/x.log"], ["b/x.log"])).toEqual(["**/a/x.log"]);
  expect(find(["p/a/x.log"], ["q/a/x.log"])).toEqual(["**/p/a/x.log"]);
});
