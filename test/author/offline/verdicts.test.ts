// Verdicts on records that are not wanted, in many words, put into the plain ones; sentences that give no verdict stay.
import { describe, expect, test } from "bun:test";
import { statementsOf } from "../../../src/author/offline/page/text.ts";
import { headOf, recordNouns, withPlainVerdict } from "../../../src/author/offline/page/verdicts.ts";

const NOUNS = recordNouns(statementsOf("Berths of the harbour.\n\n- **value**: the quay."));

const SAID: [string, string][] = [
  ['The row "Total" is not a berth.', 'The row "Total"'],
  ["`Total` is no quay of its own.", "`Total`"],
  ["The first row, `Total`, has the sums of all and is not one of them.", "The first row, `Total`"],
  ["`pool` is a container for others, not a berth of its own.", "`pool`"],
  ["The line with `Total` is a summary.", "The line with `Total`"],
  ["Berths in `dock/` belong to somebody else.", "Berths in `dock/`"],
  ["Dry docks (`dry...`) have their own review.", "Dry docks (`dry...`)"],
  ["Dry docks (`dry...`) have an item of their own.", "Dry docks (`dry...`)"],
  ["`K7` is handled by another item.", "`K7`"],
  ["Berths of `K7` are checked elsewhere.", "Berths of `K7`"],
  ["`K7` is somebody else's business.", "`K7`"],
  ["Outer berths (below `sea/`) are not ours.", "Outer berths (below `sea/`)"],
  ["`K7` is exempt.", "`K7`"],
  ["Berths of phase `IDLE` need no attention.", "Berths of phase `IDLE`"],
  ["Berths that are Open or Closed are fine and left out.", "Berths that are Open or Closed"],
  ["Buoys draw no water and are left out.", "Buoys"],
  ["Dry docks (`D_...`, `E_...`) hold no ship and are skipped.", "Dry docks (`D_...`, `E_...`)"],
  ["Members of `crew` are on board anyway and belong on another list.", "Members of `crew`"],
  ["The rule `K7` is switched off here, so leave it out.", "The rule `K7`"],
  ["The berth `K7` does not exist any more; ignore it.", "The berth `K7`"],
  ["Buoys do not hold a ship: leave them out, and the rafts as well.", "Buoys and rafts"],
  ["`K_*` and `L_*` berths are marks only and not of interest.", "`K_*` and `L_*` berths"],
];

const OTHERS = [
  "The value is no number.",
  "`kind`: not a berth where it is `K7`.",
  "Only berths of phase `IDLE`.",
  "Long lists go on in the next line; the rest there is not needed, and it is no berth.",
  "The messages themselves, as they appear in the course of the log, have no count and are not wanted.",
  "Buoys are not wanted, nor is the summary.",
  "A dash is no number.",
];

describe("verdicts in other words", () => {
  test("are put into plain ones", () => {
    for (const [text, subject] of SAID)
      expect([text, withPlainVerdict(text, NOUNS)]).toEqual([text, `${subject} are not wanted.`]);
  });

  test("sentences that give none, or more than one, stay as they are", () => {
    for (const text of OTHERS) expect(withPlainVerdict(text, NOUNS)).toBe(text);
  });

  test("the head of a sentence ends at its verb, not at a participle", () => {
    expect(headOf("Berths shown as ‹0› were not set")).toBe("Berths shown as ‹0›");
    expect(headOf("Buoys only mark the way")).toBe("Buoys");
    expect(headOf("Rows that have no key")).toBe("Rows that have no key");
  });
});
