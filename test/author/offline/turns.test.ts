// Turns that say which records are wanted without naming them first, and forms that say by the way how the log writes them.
import { describe, expect, test } from "bun:test";
import { readClaims } from "../../../src/author/offline/page/claims.ts";
import { statementsOf } from "../../../src/author/offline/page/text.ts";
import { turned } from "../../../src/author/offline/page/turns.ts";
import { piecesOf } from "../../../src/author/offline/restrict/cues.ts";

const TURNS: [string, string | undefined][] = [
  ["Except for ‹0›, which holds the pilot, all berths count", "‹0› are not wanted"],
  ["All berths count, with the exception of ‹0›", "‹0› are not wanted"],
  ["Every berth is wanted except those of the class ‹0›", "Records of the class ‹0› are not wanted"],
  ["As long as a berth is ‹0› it counts", "Only berths that are ‹0›"],
  ["Berths are wanted as long as they are not idle", "Berths that are idle are not wanted"],
  ["Nothing from the quay ‹0›", "Records from the quay ‹0› are not wanted"],
  ["Anything but ‹0› in the column PHASE rules a berth out", "Only records with ‹0› in the column PHASE"],
  ["Everything that is not DONE is wanted", "Records with DONE are not wanted"],
  ["Only quays outside of ‹0›", "quays in ‹0› are not wanted".replace("q", "Q")],
  ["Only berths that are in use: not those with ‹0› as phase", "Records with ‹0› as phase are not wanted"],
  ["Nothing else stands in the file", undefined],
  ["All berths are listed", undefined],
];

/** Each claim as one text: sign, part, how, texts. */
function claims(text: string): string[] {
  return readClaims(statementsOf(text)).map(({ wanted, tests }) =>
    tests
      .map((one) => `${wanted ? "+" : "-"}${one.of} ${one.how}${one.relation ?? ""} ${one.texts.join("|")}`)
      .join("; "),
  );
}

describe("turns of sentences", () => {
  test("are put into plain words", () => {
    for (const [text, plain] of TURNS) expect([text, turned(text)]).toEqual([text, plain]);
  });
});

describe("how the log writes what a phrase speaks of", () => {
  test("texts in brackets behind what they tell", () => {
    expect(claims("Only wrecks (`W`) and shoals (`S`).")).toEqual(["+ is W|S"]);
    expect(claims("Wrecks (kind `W`) are not wanted.")).toEqual(["-kind is W"]);
    expect(claims("Berths without a name (`N/A`) are not wanted.")).toEqual(["-name is N/A"]);
    expect(claims("Only rafts (`*.raft`).")).toEqual(["+rafts suffix .raft"]);
  });

  test("levels on one side of another", () => {
    expect(claims("Only level err or above.")).toEqual([
      "+level is err|error|crit|critical|severe|alert|emerg|emergency|fatal|panic",
    ]);
    expect(claims("Only records of level debug and below.")).toEqual(["+level is trace|verbose|debug"]);
  });

  test("a dash, the same noun twice, and an address that is no amount", () => {
    expect(claims("Rows whose LOAD is 0 or a dash are not wanted.")).toEqual(["-LOAD is 0|-"]);
    expect(claims("Rows with a dash for the load are not wanted.")).toEqual(["- is -"]);
    expect(claims("Berth 5 and berth 7 are not wanted.")).toEqual(["-Berth amount= 5|7"]);
    expect(claims("Ships from 192.0.2.7 are not wanted.")[0]).toContain(" is 192.0.2.7");
  });
});

describe("cues of the second reading", () => {
  const signs = (text: string): string[] =>
    piecesOf(text).map(({ keep, text: piece }) => `${keep ? "+" : "-"}${piece.trim().replace(/\s+/g, " ")}`);

  test("a verdict behind a clause about the records, and one that is said of what stands before it", () => {
    expect(signs("Buoys that start with ‹0› are meant for others and are ignored")[0]).toMatch(
      /^-Buoys that start/,
    );
    expect(signs("Tows with fewer than 10 barges are too rare to be listed")).toEqual([
      "-Tows with fewer than 10 barges",
    ]);
    expect(signs("Rafts are no concern of ours")).toEqual(["-Rafts"]);
    expect(signs("Rafts need not be listed")[0]).toMatch(/^-Rafts/);
  });

  test("the verb of a clause about the records is no verdict", () => {
    expect(piecesOf("Calls whose answer is not checked, from the pilot")).toEqual([]);
    expect(signs("Buoys whose light is not checked are skipped")).toHaveLength(1);
  });
});
