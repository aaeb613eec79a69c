// The conversation in a real pseudo-terminal: keys in, screen out.
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runSettings } from "../../support/executable.ts";
import { folders } from "../../support/folder.ts";
import { startModelServer } from "../../support/model-server.ts";
import { PROGRAM } from "../../support/program.ts";
import { type Bench, design, PIPELINE } from "./support.ts";

setDefaultTimeout(120_000);
const folder = folders("design-terminal");
const open: Bench[] = [];
afterAll(async () => {
  for (const bench of open) await bench.stop();
});

/** Starts the conversation in a pseudo-terminal. */
function startConversation(dir: string, url: string, columns = 100) {
  let text = "";
  const child = Bun.spawn(
    [
      ...PROGRAM,
      "design",
      "--project-dir",
      dir,
      "-c",
      "llm.design.model=scripted",
      "-c",
      `llm.design.base_url=${url}`,
      "-c",
      "llm.design.api_key_env=KEY",
    ],
    {
      env: {
        PATH: process.env["PATH"] ?? "",
        ...runSettings(),
        HOME: dir,
        KEY: "sk-terminal-0123456789abc",
        TERM: "xterm-256color",
        ATOMSMITH_PERSON: "Ann",
      },
      terminal: {
        cols: columns,
        rows: 30,
        data: (_terminal, data) => {
          text += new TextDecoder().decode(data);
        },
      },
    },
  );
  const waitFor = async (wanted: string | RegExp): Promise<string> => {
    for (let i = 0; i < 1200; i += 1) {
      if (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) return text;
      if (child.exitCode !== null) break;
      await Bun.sleep(25);
    }
    throw new Error(`never seen: ${wanted}; the terminal says:\n${text}`);
  };
  return {
    child,
    seen: waitFor,
    type: (keys: string) => child.terminal?.write(keys),
    /** Discards the output received so far. */
    clear: () => {
      text = "";
    },
  };
}
const RED = "\x1b[31m";
const GREEN = "\x1b[32m";

test("a patch is shown as a coloured difference, approved by one key and run; commands, completion and history work", async () => {
  const dir = folder();
  const replies = [
    {
      assistant_message: "The outlet gets wider.",
      proposed_patches: [{ op: "replace", path: "/components/outlet/radius", value: 3 }],
      run_request: { run: true, run_until: "compile_domains", reason: "a first look" },
    },
    { assistant_message: "Two lines came." },
  ];
  const server = startModelServer(() => ({ content: JSON.stringify(replies.shift()) }));
  const bench = design(dir);
  open.push(bench);
  await bench.run("--create", "net", "--pipeline", PIPELINE);
  const screen = startConversation(dir, server.url);
  const spec = () => JSON.parse(readFileSync(join(dir, "spec.json"), "utf8"));
  await screen.seen("/help lists the commands");
  screen.type("make the outlet wider\r");
  await screen.seen("approve patch 0001? [y]es [n]o [s]how [l]ater");
  const shown = await screen.seen("/components/outlet/radius");
  expect(shown).toContain(`${RED}    - 2`);
  expect(shown).toContain(`${GREEN}    + 3`);
  expect(spec().components.outlet.radius).toBe(2);
  screen.type("x"); // no key that means anything
  screen.type("y");
  await screen.seen("start the run? [y]es [n]o [l]ater");
  expect(spec().components.outlet.radius).toBe(3);
  screen.type("y");
  await screen.seen(/run_0001.*ok, until compile_domains/s);
  // Without a model: completion of commands and pointers.
  screen.clear();
  screen.type("/se\t /comp\t");
  await screen.seen("/set /components");
  screen.type("/out\t/rad\t 2.5\r");
  await screen.seen("applied patch 0002");
  expect(spec().components.outlet.radius).toBe(2.5);
  screen.type("/undo\r");
  await screen.seen("state: ");
  screen.type("/show /components/outlet/radius\r");
  await screen.seen(/\n3\r?\n/);
  // Two lines in one message, and the previous message by a key.
  screen.clear();
  screen.type("first\\\rsecond\r");
  await screen.seen("Two lines came.");
  expect(server.requests.at(-1)?.body.messages.at(-1)?.content).toContain("first\nsecond");
  screen.clear();
  screen.type("\x1b[A");
  await screen.seen("first second");
  screen.type("\x15/nonsense\r");
  await screen.seen("is not a command");
  screen.type("\x04");
  expect(await screen.child.exited).toBe(0);
  await server.stop();
});

test('pending proposals are kept by "later" and by Ctrl-D, with exit code 3', async () => {
  const dir = folder();
  const server = startModelServer(() => ({
    content: JSON.stringify({
      assistant_message: "Like this?",
      proposed_patches: [{ op: "remove", path: "/components/inlet" }],
    }),
  }));
  const bench = design(dir);
  open.push(bench);
  await bench.run("--create", "net", "--pipeline", PIPELINE);
  const screen = startConversation(dir, server.url, 40);
  await screen.seen("> ");
  screen.type("drop the inlet, it is in the way and nobody needs it any more\r");
  await screen.seen("[l]ater");
  screen.type("l");
  await screen.seen("l\r\n");
  screen.type("\x04");
  expect(await screen.child.exited).toBe(3);
  expect((await bench.run("show", "state")).document.state).toMatchObject({
    state: "WAITING_PATCH_APPROVAL",
    pending_patch_ids: ["0001"],
  });
  await server.stop();
});
