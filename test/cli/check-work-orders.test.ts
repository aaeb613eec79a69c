// `check --work-orders`: one order per failed item, which names files only if the check names them.
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workOrderSchema } from "../../src/loops/factory/schemas.ts";
import { sources, writeSet, writeTree } from "../runtime/sets.ts";
import { cli } from "../support/cli.ts";
import { folders } from "../support/folder.ts";

const make = folders("check-work-orders");

test("files of the repository named by violations are allowed; without any, run refuses the order", async () => {
  const base = make();
  writeTree(base, {
    "root/a.log": "item: src/top.v:12\nitem: src/top.v\nitem: beta\n",
    "root/b.log": "item: beta\n",
  });
  mkdirSync(join(base, "repo/.git"), { recursive: true });
  writeTree(base, { "repo/src/top.v": "module top;\n" });
  const config = (input: string) =>
    sources(
      `description: no item is left\ninput_files: [${input}]\nrequirements: {expect: absent}\nwaivers: {value: N/A}\n`,
    );
  await writeSet(join(base, "sets"), "NAMED", config("a.log"));
  await writeSet(join(base, "sets"), "SILENT", config("b.log"));
  writeFileSync(join(base, "root/clean.log"), "fine\n");
  await writeSet(join(base, "sets"), "GOOD", config("clean.log"));
  const argv = ["check", "sets", "--search-root", "root", "--work-orders", "orders", "--repo", "repo"];
  const { code, stderr } = await cli(argv, { cwd: base });
  expect(code).toBe(7);
  expect(stderr).toContain("orders/NAMED.json");
  const read = (name: string) =>
    workOrderSchema.parse(JSON.parse(readFileSync(join(base, "orders", name), "utf8")));
  expect(read("NAMED.json")).toMatchObject({
    id: "NAMED",
    allowed_files: ["src/top.v"],
    context_files: ["src/top.v"],
  });
  expect(read("NAMED.json").intent).toContain("src/top.v:12");
  expect(read("SILENT.json")).toMatchObject({ allowed_files: [] });
  expect(existsSync(join(base, "orders/GOOD.json"))).toBe(false);
  const refused = await cli(
    [
      "factory",
      "run",
      "--repo",
      "repo",
      "--work-order",
      "orders/SILENT.json",
      "--out",
      "out",
      "--llm-model",
      "m",
    ],
    { cwd: base },
  );
  expect({ code: refused.code, said: refused.stderr.includes("allowed_files") }).toEqual({
    code: 2,
    said: true,
  });
});
