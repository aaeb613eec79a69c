// The escape drill for commands: what a hostile build tries, with all of Node and with machine code (x86-64). In the
// jail each attempt is refused but for those that docs/sandbox.md names; without it the same attempts succeed, so
// that the drill is known to notice a way out.
import { afterAll, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import type { CommandOptions } from "../../sandbox/command.ts";
import { callTable } from "../../sandbox/jail/calls.ts";
import { openLibc } from "../../sandbox/jail/libc.ts";
import { prepareRuntime } from "../../sandbox/runtime/launch.ts";
import { bytesOf, proberProgram, type RawAttempt } from "../hostile/drill/prober.ts";
import { commandPlaces, type Place } from "../support/command.ts";

const place = commandPlaces("command-drill");
const { node } = await prepareRuntime(() => {});
const probe = await place().run(["true"]);
const full = probe.level === "full";
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A file that this process has open, and lets every child inherit. */
const inherited = openSync(import.meta.path, "r");
const F_SETFD = 2;
if (process.platform === "linux") openLibc().syscall(callTable().numbers.fcntl, inherited, F_SETFD, 0);
afterAll(() => closeSync(inherited));

async function listen(where: number | string): Promise<number> {
  const server = createServer((socket) => socket.end());
  servers.push(server);
  const ready = Promise.withResolvers<void>();
  if (typeof where === "number") server.listen(where, "127.0.0.1", () => ready.resolve());
  else server.listen(where, () => ready.resolve());
  await ready.promise;
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Outcome of every attempt of the Node program. */
async function attack(
  { outside, repo, run }: Place,
  options: Partial<CommandOptions>,
): Promise<Record<string, string>> {
  const hidden = join(outside, "private");
  mkdirSync(hidden);
  writeFileSync(join(hidden, "key"), "secret");
  writeFileSync(join(outside, "moved.txt"), "x");
  const abstract = `\0atomsmith-command-${process.pid}-${performance.now()}`;
  const socket = join(outside, "s.sock");
  await listen(socket);
  await listen(abstract);
  const aim = {
    outside,
    hidden: join(hidden, "key"),
    parent: process.pid,
    fd: inherited,
    ino: fstatSync(inherited).ino,
    port: await listen(0),
    udp: 9,
    socket,
    abstract,
  };
  copyFileSync(join(import.meta.dirname, "command-program.cjs"), join(repo, "program.cjs"));
  const done = await run([node, "program.cjs", JSON.stringify(aim)], { hidden: [hidden], ...options });
  const line = done.out.split("DRILL ")[1];
  if (line === undefined) throw new Error(`the drill said nothing: ${JSON.stringify(done)}`);
  return JSON.parse(line) as Record<string, string>;
}

const possible = (results: Record<string, string>): string[] =>
  Object.entries(results)
    .filter(([, outcome]) => !outcome.startsWith("denied"))
    .map(([name]) => name);

/** Open in the jail and documented: existence, sizes and command lines can be seen. */
const LEFT_OPEN = ["size of a file outside", "command line of the parent"];
/** Open where mounts cannot be made read-only. */
const OPEN_WITHOUT_MOUNTS = ["change rights of a file outside", "change times of a file outside"];
/** No machine lets them through, or only one with a terminal and rights: nothing to compare. */
const DENIED_ANYWAY = [
  "use a descriptor of the parent",
  "open the controlling terminal",
  "ask a name server",
];

test.if(full)(
  "a hostile build gets nowhere",
  async () => {
    const here = place();
    const mounts = probe.held.includes("read_only_mounts");
    const results = await attack(here, { jail: "required" });
    const open = [...(mounts ? [] : OPEN_WITHOUT_MOUNTS), ...LEFT_OPEN];
    expect(possible(results)).toEqual(open);
    expect(readFileSync(join(here.outside, "secret.txt"), "utf8")).toBe("secret");
    expect(readFileSync(join(here.outside, "victim.txt"), "utf8")).toBe("victim");
  },
  30_000,
);

test.if(full)(
  "the drill notices a way out",
  async () => {
    const results = await attack(place(), { jail: "off" });
    const ordinary = process.getuid?.() === 0 ? [] : ["signal process 1", "write a kernel setting"];
    // Each attempt changes what the next one aims at; these hold in any order.
    for (const name of Object.keys(results)) {
      if ([...DENIED_ANYWAY, ...ordinary].includes(name)) continue;
      expect(`${name}: ${results[name]}`).toBe(`${name}: possible`);
    }
  },
  30_000,
);

test.if(full)(
  "with the network allowed, the internet is open and nothing else",
  async () => {
    const results = await attack(place(), { jail: "required", network: true });
    const open = possible(results).filter((name) => !OPEN_WITHOUT_MOUNTS.includes(name));
    expect(open).toEqual(["connect by TCP", "listen by TCP", "send by UDP", ...LEFT_OPEN]);
  },
  30_000,
);

test.if(full)("only the given paths can be read when they are listed", async () => {
  const { run, outside } = place();
  const readable = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache"].filter((path) =>
    statSync(path, { throwIfNoEntry: false }),
  );
  const secret = join(outside, "secret.txt");
  const script = `echo ran; cat ${secret}; ls ${outside}; cat /etc/passwd; cat /proc/1/cmdline`;
  const done = await run(["sh", "-c", script], { readable, jail: "required" });
  expect(done.out).toBe("ran\n");
  expect(done.err.match(/Permission denied/g)).toHaveLength(4);
  const allowed = await run(["cat", secret], { readable: [...readable, outside], jail: "required" });
  expect(allowed.out).toBe("secret");
});

test.if(full && probe.held.includes("read_only_mounts"))(
  "a read-only path in the repository stays so",
  async () => {
    const { repo, run } = place({ ".git/config": "[core]\n", a: "x" });
    const script = "echo x > b; echo y >> .git/config; mv .git other; rm -rf .git; touch .git/new";
    await run(["sh", "-c", script], { readOnly: [join(repo, ".git")], jail: "required" });
    expect(readFileSync(join(repo, "b"), "utf8")).toBe("x\n");
    expect(readFileSync(join(repo, ".git/config"), "utf8")).toBe("[core]\n");
    expect(statSync(join(repo, ".git/new"), { throwIfNoEntry: false })).toBeUndefined();
  },
);

/** x86-64 numbers. Harmless where they are possible: nothing is attached to, mounted or changed. */
function rawAttempts(): RawAttempt[] {
  const room = new Uint8Array(256);
  const parent = process.pid;
  return [
    { name: "socket TCP", number: 41, args: [2, 1, 0] },
    { name: "socket IPv6", number: 41, args: [10, 2, 0] },
    { name: "socket Unix", number: 41, args: [1, 1, 0] },
    { name: "socket netlink", number: 41, args: [16, 3, 0] },
    { name: "socket vsock", number: 41, args: [40, 1, 0] },
    { name: "socketpair of another family", number: 53, args: [2, 1, 0, room] },
    { name: "clone3", number: 435, args: [room, 0] },
    { name: "clone into a user namespace", number: 56, args: [0x10000011, 0, 0, 0, 0], forks: true },
    { name: "unshare of a user namespace", number: 272, args: [0x10000000] },
    { name: "unshare of a network namespace", number: 272, args: [0x40000000] },
    { name: "setns", number: 308, args: [-1, 0] },
    { name: "kill of the parent", number: 62, args: [parent, 0] },
    { name: "tgkill of the parent", number: 234, args: [parent, parent, 0] },
    { name: "ptrace of the parent", number: 101, args: [2, parent, 0, 0] },
    { name: "process_vm_readv of the parent", number: 310, args: [parent, room, 1, room, 1, 0] },
    { name: "process_vm_writev of the parent", number: 311, args: [parent, room, 1, room, 1, 0] },
    { name: "kcmp of the parent", number: 312, args: [parent, parent, 0, 0, 0] },
    { name: "pidfd_getfd", number: 438, args: [-1, 0, 0] },
    { name: "prlimit of the parent", number: 302, args: [parent, 7, 0, room] },
    { name: "priority of the parent", number: 141, args: [0, parent, 0] },
    { name: "priority of a user", number: 141, args: [2, 12345, 0] },
    { name: "mount", number: 165, args: [bytesOf("x"), bytesOf("/nowhere"), bytesOf("tmpfs"), 0, 0] },
    { name: "umount", number: 166, args: [bytesOf("/nowhere"), 0] },
    { name: "pivot_root", number: 155, args: [bytesOf("/nowhere"), bytesOf("/nowhere")] },
    { name: "chroot", number: 161, args: [bytesOf("/")] },
    { name: "fsopen", number: 430, args: [bytesOf("nothing"), 0] },
    { name: "open_tree", number: 428, args: [-100, bytesOf("/nowhere"), 0] },
    { name: "mount_setattr", number: 442, args: [-1, bytesOf("/nowhere"), 0, room, 32] },
    { name: "open_by_handle_at", number: 304, args: [-1, room, 0] },
    { name: "io_uring_setup", number: 425, args: [1, room] },
    { name: "io_uring_enter", number: 426, args: [-1, 0, 0, 0, 0, 0] },
    { name: "keyctl", number: 250, args: [0, -3, 0] },
    { name: "add_key", number: 248, args: [bytesOf("user"), bytesOf("drill"), room, 4, -3] },
    { name: "bpf", number: 321, args: [0, room, 48] },
    { name: "perf_event_open", number: 298, args: [room, 0, -1, -1, 0] },
    { name: "userfaultfd", number: 323, args: [1] },
    { name: "kexec_load", number: 246, args: [0, 17, 0, -1] },
    { name: "init_module", number: 175, args: [room, 0, bytesOf("")] },
    { name: "finit_module", number: 313, args: [-1, bytesOf(""), 0] },
    { name: "type into a terminal (TIOCSTI)", number: 16, args: [0, 0x5412, room] },
    { name: "type into a terminal (TIOCSTI, high bits)", number: 16, args: [0, 0x100005412n, room] },
    { name: "console of the machine (TIOCLINUX)", number: 16, args: [0, 0x541c, room] },
    { name: "personality", number: 135, args: [0x0040000] },
    { name: "shared memory (shmget)", number: 29, args: [0, 4096, 0o1600] },
    { name: "shared memory of another (shmat)", number: 30, args: [-1, 0, 0] },
    { name: "message queue (msgget)", number: 68, args: [0, 0o1600] },
    { name: "message queue (mq_open)", number: 240, args: [bytesOf("nothing"), 0, 0, 0] },
    { name: "a call of a later kernel", number: 999, args: [] },
    { name: "a call of the x32 table", number: 0x40000000 + 39, args: [] },
    { name: "setuid to root", number: 105, args: [0] },
    { name: "setuid to another", number: 105, args: [12345] },
  ];
}

/** What the prober's calls answered, by name. */
async function rawResults(
  { repo, run }: Place,
  options: Partial<CommandOptions>,
): Promise<Map<string, number>> {
  const attempts = rawAttempts();
  writeFileSync(join(repo, "prober"), proberProgram(attempts), { mode: 0o755 });
  const done = await run(["./prober"], options);
  const bytes = Buffer.from(done.out, "latin1");
  if (bytes.byteLength !== attempts.length * 8) throw new Error(`the prober ended early: ${done.out.length}`);
  return new Map(attempts.map(({ name }, i) => [name, Number(bytes.readBigInt64LE(8 * i))]));
}

const REFUSED = [-1, -13, -38];

test.if(full && process.arch === "x64")("machine code gets no further", async () => {
  const results = await rawResults(place(), { jail: "required" });
  // Becoming what one is already changes nothing.
  if (process.getuid?.() === 0) results.delete("setuid to root");
  const reached = [...results].filter(([, result]) => !REFUSED.includes(result));
  expect(reached).toEqual([]);
});

test.if(full && process.arch === "x64")("the prober notices what is let through", async () => {
  const results = await rawResults(place(), { jail: "off" });
  for (const name of [
    "socket TCP",
    "socket Unix",
    "kill of the parent",
    "ptrace of the parent",
    "prlimit of the parent",
    "io_uring_enter",
    "type into a terminal (TIOCSTI)",
    "type into a terminal (TIOCSTI, high bits)",
    "shared memory of another (shmat)",
    "priority of a user",
  ]) {
    expect([name, REFUSED.includes(results.get(name) ?? -1)]).toEqual([name, false]);
  }
});
