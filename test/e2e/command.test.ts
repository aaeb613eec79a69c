// The built executable as supervisor and launcher of a command, for the user who runs the tests and for an ordinary one.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { supervisorOrder } from "../../sandbox/command/order.ts";
import { JAIL_FLAG, SUPERVISE_FLAG } from "../../sandbox/jail/entry.ts";
import type { SupervisorReport } from "../../sandbox/jail/supervision.ts";
import { executable } from "../support/executable.ts";
import { folders } from "../support/folder.ts";

const folder = folders("command-executable");

const SCRIPT = `echo in > inside; echo out > ../victim; cat ../key; setsid sleep 1000 >/dev/null 2>&1 &
echo x > $TMPDIR/x && cat $TMPDIR/x; chmod 700 ../victim; exit 4`;

/** Runs the script with the executable in both roles; `prefix` runs it as somebody else. */
async function runOnExecutable(prefix: string[]) {
  const base = folder();
  const [repo, hidden] = [join(base, "repo"), join(base, "key")];
  mkdirSync(repo);
  mkdirSync(join(base, "orders"));
  writeFileSync(hidden, "secret");
  writeFileSync(join(base, "victim"), "victim");
  const order = supervisorOrder(
    {
      argv: ["sh", "-c", SCRIPT],
      cwd: repo,
      readable: "system",
      hidden: [hidden],
      writable: [repo],
      privateTmp: true,
      network: false,
      limits: { timeMs: 20_000, outputBytes: 10_000 },
      stdout: join(base, "orders/out"),
      stderr: join(base, "orders/err"),
      jail: "preferred",
    },
    join(base, "orders"),
  );
  if ("reason" in order) throw new Error(order.reason);
  const file = join(base, "orders/order.json");
  writeFileSync(file, JSON.stringify({ ...order, launcher: [executable(), JAIL_FLAG] }));
  // The folder is private, and the other user must get to it.
  const everybody = [
    "",
    "repo",
    "orders",
    "orders/private",
    "orders/private/home",
    "orders/private/tmp",
    "victim",
  ];
  chmodSync(dirname(base), 0o755);
  for (const path of everybody) chmodSync(join(base, path), 0o777);
  const supervisor = Bun.spawn([...prefix, executable(), SUPERVISE_FLAG, file], {
    cwd: join(base, "orders"),
    env: {},
    // Stays open: its end would mean that the program is gone.
    stdin: "pipe",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [said] = await Promise.all([new Response(supervisor.stderr).text(), supervisor.exited]);
  if (!existsSync(order.report)) throw new Error(said);
  const report = JSON.parse(readFileSync(order.report, "utf8")) as SupervisorReport;
  return { base, report, out: readFileSync(order.stdout, "utf8"), folders: order.temporary };
}

const users: [string, string[]][] = [["this user", []]];
// As root, an ordinary user can be tried, too.
if (process.getuid?.() === 0 && Bun.which("setpriv")) {
  users.push(["an ordinary user", ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]]);
}

for (const [name, prefix] of process.platform === "linux" ? users : []) {
  test(`the executable runs a command in the jail, ${name}`, async () => {
    const { base, report, out, folders: temporary } = await runOnExecutable(prefix);
    expect(report).toMatchObject({ stopped: null, refused: null, code: 4, subreaper: true, leftBehind: 1 });
    expect(report.notice?.missing).toEqual([]);
    expect(report.notice?.held).toContain("files");
    expect(out).toBe("x\n");
    expect(readFileSync(join(base, "repo/inside"), "utf8")).toBe("in\n");
    expect(readFileSync(join(base, "victim"), "utf8")).toBe("victim");
    for (const path of temporary) expect(existsSync(path)).toBe(false);
  }, 60_000);
}
