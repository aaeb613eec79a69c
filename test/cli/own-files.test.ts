// Files that the program writes below the search root are not logs: no author sees them, and a second batch finds
// nothing changed.
import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "../../src/core/events.ts";
import { cli } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const folder = folders("own-files");

test("events, log, configuration and reports below the search root are not read as logs", async () => {
  const cwd = folder({ "logs/a.log": "nothing of interest\n" });
  mkdirSync(join(cwd, "pages"));
  const page = "IRD-10_ItemSpec.md"; // its logs are missing on purpose
  copyFileSync(join(import.meta.dir, "../../fixtures/items", page), join(cwd, "pages", page));
  const line = [
    "batch",
    "pages",
    "--events",
    "e.jsonl",
    "--junit",
    "j.xml",
    "-c",
    "logging.log_file=run.log",
  ];
  const types = () =>
    readFileSync(join(cwd, "e.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((text) => (JSON.parse(text) as Event).type);
  expect((await cli(line, { cwd })).code).toBe(3);
  expect(types()).toContain("item_finished");
  expect((await cli(line, { cwd })).code).toBe(3);
  expect(types()).toContain("item_skipped");
  expect(types()).not.toContain("item_started");
}, 30_000);
