// Inputs that cannot be read: each is a diagnostic of its item, and the other items are judged.
import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { appendFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkAtomSet, checkAtomSets, LogPool } from "../../src/runtime/index.ts";
import { BZIP2, CRC64 } from "../logio/archives.ts";
import { checkBench, codesOf, configYaml } from "./check-bench.ts";
import { sources, writeSet, writeTree } from "./sets.ts";

const { base, root, out, options, services, check } = checkBench();

describe("unusable inputs are diagnostics of their item", () => {
  test("every kind is reported with its code, and the other item is judged", async () => {
    writeTree(root, {
      "bad/corrupt.log": Buffer.concat([
        gzipSync("item: a\n".repeat(5000)).subarray(0, 60),
        Buffer.alloc(30, 7),
      ]),
      "bad/truncated.log": gzipSync("item: a\n".repeat(5000)).subarray(0, 80),
      "bad/cut.xz": CRC64.subarray(0, 150),
      "bad/cut.bz2": BZIP2.subarray(0, 150),
      "bad/whole.lz4": Buffer.from("04224d186440a700000000", "hex"),
      "bad/nul.log": "item: a\n\0\0\0\n",
      "bad/folder.log/x": "",
      "bad/good.log": "item: a\n",
    });
    spawnSync("mkfifo", [join(root, "bad/fifo.log")]);
    symlinkSync("loop.log", join(root, "bad/loop.log"));
    symlinkSync("nowhere", join(root, "bad/dangling.log"));
    const expected: [string, string][] = [
      ["corrupt.log", "input_corrupt"],
      ["truncated.log", "input_truncated"],
      ["cut.xz", "input_truncated"],
      ["cut.bz2", "input_truncated"],
      ["whole.lz4", "input_unsupported_compression"],
      ["nul.log", "input_binary"],
      ["folder.log", "input_not_regular"],
      ["fifo.log", "input_not_regular"],
      ["loop.log", "input_link_loop"],
      ["dangling.log", "input_missing"],
      ["absent.log", "input_missing"],
    ];
    const dirs: string[] = [];
    for (const [name] of expected) {
      dirs.push(
        await writeSet(
          out,
          `BAD-${name}`,
          sources(configYaml([`bad/${name}`], "{expect: absent}", "{value: 0}")),
        ),
      );
    }
    dirs.push(await writeSet(out, "BAD-good", sources(configYaml(["bad/good.log"]))));
    const results = await checkAtomSets(dirs, 4, options(), services());
    const outcomes = results.map((r) => [
      r.result.outcome,
      ...codesOf(r).filter((c) => c !== "no_witness_known"),
    ]);
    expect(outcomes).toEqual([...expected.map(([, code]) => ["error", code]), ["pass"]]);
    for (const { result } of results.slice(0, -1))
      expect(result.diagnostics[0]?.message.length).toBeGreaterThan(20);
  });
  test("a path outside the search root is refused, also through a link", async () => {
    writeFileSync(join(base, "outside.log"), "item: a\n");
    symlinkSync(join(base, "outside.log"), join(root, "link.log"));
    for (const input of ["../outside.log", join(base, "outside.log"), "link.log", "link*.log"]) {
      expect(codesOf(await check(configYaml([input], "{value: N/A}", "{value: 0}")))).toEqual([
        "input_outside_root",
      ]);
    }
  });
  test("a file that grows or shrinks while it is read is an error", async () => {
    const path = join(root, "grow.log");
    writeFileSync(path, "item: a\n".repeat(400_000));
    const reading = new LogPool({ maxTextBytes: 2 ** 28 }).read(path);
    appendFileSync(path, "item: new\n");
    expect(await reading).toMatchObject({
      ok: false,
      diagnostic: { code: "input_changed", severity: "error" },
    });
    const again = new LogPool({ maxTextBytes: 2 ** 28 }).read(path);
    truncateSync(path, 10);
    const result = await again;
    expect(result.ok).toBe(false);
  });
  test("a text over the size limit is an error when the atom is not line-local", async () => {
    writeTree(root, { "large.log": "item: a\n".repeat(1_200_000) });
    const dir = await writeSet(out, "LARGE", sources(configYaml(["large.log"])));
    const checked = await checkAtomSet(dir, options(), services(9 * 2 ** 20));
    expect(codesOf(checked)).toEqual(["input_too_large"]);
    expect(checked.result.diagnostics[0]?.message).toContain("check.max_text_mb");
    expect(checked.result.outcome).toBe("error");
  });
});
