// Unpacking of the embedded runtime: once, under concurrency, into a folder nobody else prepared, and repaired
// when it is damaged. Small files stand for the large ones; the code is that of the executable.
import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedRuntime } from "../../sandbox/runtime/embedded.ts";
import { runtimeLocations, unpackRuntime } from "../../sandbox/runtime/unpack.ts";
import { filterX86 } from "../../sandbox/runtime/x86-filter.ts";
import { sha256 } from "../../src/core/hash.ts";

const made: string[] = [];
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "atomsmith-unpack-"));
  made.push(path);
  return path;
}
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

function runtime(at: string): EmbeddedRuntime {
  const file = (name: "node" | "isolated_vm.node" | "child.cjs", content: string) => {
    const path = join(at, `${name}.zst`);
    writeFileSync(path, Bun.zstdCompressSync(Buffer.from(content)));
    return { name, path, sha256: sha256(content), bytes: content.length, filter: "none" as const };
  };
  return {
    files: [file("node", "the runtime"), file("isolated_vm.node", "addon"), file("child.cjs", "child")],
  };
}

const embedded = runtime(folder());

async function unpack(place: string): Promise<{ node: string; unpacked: number }> {
  let unpacked = 0;
  const onUnpacked = () => {
    unpacked += 1;
  };
  const files = await unpackRuntime(embedded, { locations: [place], onUnpacked });
  expect(readFileSync(files.node, "utf8")).toBe("the runtime");
  expect(readFileSync(files.child, "utf8")).toBe("child");
  return { node: files.node, unpacked };
}

test("unpacks once, with rights for this user only, and leaves nothing behind", async () => {
  const place = join(folder(), "cache/atomsmith");
  const first = await unpack(place);
  expect(first.unpacked).toBe(1);
  expect((await unpack(place)).unpacked).toBe(0);
  expect(statSync(place).mode & 0o777).toBe(0o700);
  expect(statSync(first.node).mode & 0o777).toBe(0o500);
  expect(readdirSync(place)).toEqual([expect.stringMatching(/^runtime-[0-9a-f]{16}$/)]);
});

test.each<[string, (node: string) => void]>([
  ["truncated", (node) => truncateSync(node, 3)],
  ["missing", (node) => rmSync(node)],
  ["replaced by another of the same size", (node) => replace(node, "THE RUNTIME")],
  ["replaced by a link", (node) => link(node)],
  ["writable by others", (node) => chmodSync(node, 0o777)],
])("a file that is %s is repaired", async (_, damage) => {
  const place = folder();
  const { node } = await unpack(place);
  damage(node);
  expect((await unpack(place)).unpacked).toBe(1);
  expect((await unpack(place)).unpacked).toBe(0);
});

function replace(path: string, content: string): void {
  rmSync(path);
  writeFileSync(path, content, { mode: 0o500 });
}

function link(path: string): void {
  renameSync(path, `${path}.real`);
  symlinkSync(`${path}.real`, path);
}

test("a file that was only touched is checked and kept", async () => {
  const place = folder();
  const { node } = await unpack(place);
  utimesSync(node, new Date(), new Date());
  expect((await unpack(place)).unpacked).toBe(0);
});

test("a folder that others can write, a file or a link in its place is refused, with the reason", async () => {
  const open = folder();
  chmodSync(open, 0o777);
  const file = join(folder(), "file");
  writeFileSync(file, "");
  const linked = join(folder(), "link");
  symlinkSync(folder(), linked);
  for (const [place, reason] of [
    [open, "is writable by other users"],
    [file, "not a directory"],
    [linked, "not a directory"],
    ["/proc/atomsmith", "cannot be created"],
  ] as const) {
    const failure = unpackRuntime(embedded, { locations: [place] });
    expect(failure).rejects.toMatchObject({ kind: "sandbox", message: expect.stringContaining(reason) });
    await failure.catch(() => {});
  }
  const good = folder();
  const files = await unpackRuntime(embedded, { locations: [open, file, good] });
  expect(files.dir.startsWith(good)).toBe(true);
});

test("the filter for x86-64 programs gives back every byte", async () => {
  const program = new Uint8Array(await Bun.file(process.execPath).slice(0, 4_000_000).arrayBuffer());
  const calls = new Uint8Array(100_000).map((_, i) => [0xe8, 0xe9, 0xff, 0, i][i % 5] ?? 0);
  for (const original of [program, calls, new Uint8Array(3), new Uint8Array([0xe8, 1, 2, 3, 0, 0])]) {
    const bytes = original.slice();
    filterX86(bytes, "encode");
    filterX86(bytes, "decode");
    expect(Buffer.compare(bytes, original)).toBe(0);
  }
});

test("a damaged executable is named as such", async () => {
  const [node, ...rest] = runtime(folder()).files;
  if (node === undefined) throw new Error("no file");
  const broken = { files: [{ ...node, sha256: sha256("something else") }, ...rest] };
  const failure = unpackRuntime(broken, { locations: [folder()] });
  expect(failure).rejects.toMatchObject({ message: expect.stringContaining("the executable is damaged") });
  await failure.catch(() => {});
});

test("the lock of a process that was killed while unpacking is taken over", async () => {
  const place = folder();
  const lock = join(place, "lock");
  const store = join(import.meta.dirname, "../../src/store/index.ts");
  const holder = Bun.spawn([
    process.execPath,
    "-e",
    `const { takeLock } = await import(${JSON.stringify(store)});
     await takeLock(${JSON.stringify(lock)}, "the runtime");
     process.kill(process.pid, "SIGKILL");`,
  ]);
  await holder.exited;
  expect(readdirSync(place)).toEqual(["lock"]);
  expect((await unpack(place)).unpacked).toBe(1);
  expect(readdirSync(place)).toEqual([expect.stringMatching(/^runtime-/)]);
});

test("twenty processes that start at once unpack once", async () => {
  const place = folder();
  const script = join(folder(), "start.ts");
  const module = join(import.meta.dirname, "../../sandbox/runtime/unpack.ts");
  writeFileSync(
    script,
    `import { unpackRuntime } from ${JSON.stringify(module)};
       await unpackRuntime(${JSON.stringify(embedded)}, { locations: [${JSON.stringify(place)}], onUnpacked: () => process.stdout.write("unpacked") });`,
  );
  const runs = Array.from({ length: 20 }, () =>
    Bun.spawn([process.execPath, script], { stdout: "pipe", stderr: "pipe" }),
  );
  const outputs = await Promise.all(runs.map((run) => new Response(run.stdout).text()));
  expect(await Promise.all(runs.map((run) => run.exited))).toEqual(runs.map(() => 0));
  expect(outputs.filter((output) => output === "unpacked")).toHaveLength(1);
  expect(readdirSync(place)).toHaveLength(1);
}, 30_000);

test("locations follow the environment and end in the folder for temporary files", () => {
  const locations = runtimeLocations({ XDG_CACHE_HOME: "/var/cache/me" });
  expect(locations[0]).toBe("/var/cache/me/atomsmith");
  expect(locations.at(-1)).toBe(join(tmpdir(), `atomsmith-${process.getuid?.()}`));
  expect(runtimeLocations({ XDG_CACHE_HOME: "relative" })[0]).not.toContain("relative");
});
