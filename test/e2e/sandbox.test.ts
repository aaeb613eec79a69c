// The sandbox of the built executable: unpacked from it, jailed, repaired, and the same for an ordinary user.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { executable } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

const folder = folders("sandbox");

interface Doctor {
  ready: boolean;
  checks: { name: string; status: string; message: string }[];
}

/** `doctor --json` with nothing in the environment but HOME; `prefix` runs it as somebody else. */
function doctor(home: string, prefix: string[] = [], flags: string[] = []) {
  const [command = "", ...args] = [...prefix, executable(), "doctor", "--json", ...flags];
  const done = spawnSync(command, args, {
    cwd: home,
    env: { HOME: home },
    encoding: "utf8",
    timeout: 60_000,
  });
  return { code: done.status, document: JSON.parse(done.stdout) as Doctor, stderr: done.stderr };
}

function sandboxChecks(document: Doctor): Doctor["checks"] {
  return document.checks.filter((check) => check.name.startsWith("sandbox"));
}

test("runs from an empty home, and again after its runtime was truncated", () => {
  const home = folder();
  const first = doctor(home);
  const [level] = sandboxChecks(first.document);
  expect(sandboxChecks(first.document).every((check) => check.status !== "error")).toBe(true);
  const cache = join(home, ".cache/atomsmith");
  const [name = ""] = readdirSync(cache);
  const node = join(cache, name, "node");
  chmodSync(node, 0o700);
  truncateSync(node, 1000);
  const second = doctor(home);
  expect(sandboxChecks(second.document).every((check) => check.status !== "error")).toBe(true);
  expect(sandboxChecks(second.document)[0]?.message).toBe(level?.message ?? "");
}, 60_000);

const setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));

// Only root can become somebody else; elsewhere the suite itself runs as an ordinary user.
test.if(process.getuid?.() === 0 && setpriv !== undefined)(
  "an ordinary user gets the same level",
  () => {
    const home = folder();
    chmodSync(home, 0o777);
    const own = doctor(folder());
    const other = [setpriv ?? "", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"];
    const theirs = doctor(home, other);
    const ours = sandboxChecks(own.document).map(({ name, status }) => [name, status]);
    expect(sandboxChecks(theirs.document).map(({ name, status }) => [name, status])).toEqual(ours);
    expect(sandboxChecks(theirs.document)[0]?.message).toBe(sandboxChecks(own.document)[0]?.message ?? "");
  },
  60_000,
);
