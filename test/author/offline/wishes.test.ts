// Tests on parts that a page makes in the middle of its sentences, and which part of the log they are bound to.

import { expect, test } from "bun:test";
import { readPage } from "../../../src/author/offline/page/page.ts";
import { readWishes } from "../../../src/author/offline/page/wishes.ts";
import { filterFor } from "../../../src/author/offline/readers/wishes.ts";

function wishesOf(text: string): string[] {
  return readWishes(readPage(text, "`x.log`").statements).map(({ about, test: one, keep }) => {
    const what =
      one.kind === "number"
        ? `${one.how} ${one.than}`
        : one.kind === "texts"
          ? one.texts.join("|")
          : one.kind;
    return `${keep ? "keep" : "drop"} [${about}] ${what}`;
  });
}

const WORDINGS: [string, string][] = [
  ["Take the requests with a status of 500 or above.", "keep [status] least 500"],
  ["Extract the boats, those with a load of at least 40.", "keep [load] least 40"],
  ["Extract the boats whose load is more than 40.", "keep [load] above 40"],
  ["Boats. Boats with 0 trips are not wanted.", "drop [trips] is 0"],
  ["Boats. Boats that are not used at all (0) are of no interest.", "drop [used] is 0"],
  ["A request has failed if its code is 500 or more. Extract the failed requests.", "keep [code] least 500"],
  ["We want the accounts whose shell is neither none nor dark.", "drop [shell] none|dark"],
  ["Extract the sites in the states CA, OR and WA.", "keep [state] CA|OR|WA"],
  ["Gates. Gates that are Open or Closed are fine and left out.", "drop [] Open|Closed"],
  ["Extract the sessions that have an address.", "keep [address] present"],
  ["Extract the visits with status 200.", "keep [status] 200"],
];

test.each(WORDINGS)("%s", (text, wish) => {
  expect(wishesOf(text)).toContain(wish);
});

test("a test is bound to the part of its name, and where that is open to nothing", () => {
  const [wish] = readWishes(readPage("Extract the boats whose load is more than 40.", "`x.log`").statements);
  if (wish === undefined) throw new Error("no test was read");
  const part = (group: string): { group: string; names: string[]; description: string; texts: string[] } => ({
    group,
    names: [group],
    description: "",
    texts: ["12", "41", "77"],
  });
  expect(filterFor(wish, [part("load"), part("speed")])).toEqual({
    group: "load",
    equals: ["40"],
    match: "above",
  });
  const other = { ...part("speed"), texts: ["41", "2", "3"] };
  expect(filterFor(wish, [part("height"), other])).toBeUndefined();
});
