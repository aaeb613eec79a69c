// Texts of lines that are not wanted, in sentences that say so in front of the text or behind it, whatever else they ask for.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";

const unwanted = (said: string): string[] =>
  readPage(
    `Voyages of a ship.\n\n- \`53. Begin TERN voyage (short).\`\n- **value**: the voyage.\n- ${said}\n`,
    "`ship.log`.",
  ).unwanted;

test.each([
  'Only what is called a voyage, so no drill, no repair and no "Begin loading."',
  "No `Begin loading`, please.",
  "Voyages only, not `Begin loading`.",
  "Voyages count, but never `Begin loading`.",
  "Neither drills nor `Begin loading` are voyages.",
  "Voyages, so nothing like `Begin loading`.",
  "Only voyages; `Begin loading` names none.",
  "`Begin loading` does not qualify.",
  "`Begin loading` calls the crew and no voyage.",
  "It has to say voyage; `Begin loading` alone will not do.",
])("%s", (said) => {
  expect(unwanted(said).map((text) => text.replace(/\.$/, ""))).toEqual(["Begin loading"]);
});

test.each([
  "Only lines with `Begin loading` count.",
  "No line without `Begin loading` counts.",
  "The name is no longer than `Begin loading`.",
  "Not `Begin loading` itself, but the number in front of it, is the step.",
])("%s: nothing is ruled out", (said) => {
  expect(unwanted(said)).toEqual([]);
});
