// Nothing of the escape drill may succeed at level `full`; and the table in docs/measurements/drill.md is that of the drill.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedSandbox } from "../../support/sandbox.ts";
import { attemptNames, LEFT_OPEN, LEVELS, runDrill } from "./drill.ts";

const { info } = await sharedSandbox();
const docs = readFileSync(join(import.meta.dirname, "../../../docs/measurements/drill.md"), "utf8");

// Where the machine does not reach `full` there is nothing to prove; docs and doctor say so.
test.if(info.level === "full")(
  "everything but what is documented as open is denied at level full",
  async () => {
    const result = await runDrill(LEVELS[0]?.without ?? []);
    expect(Object.keys(result).length).toBeGreaterThan(40);
    const possible = Object.entries(result).filter(([, outcome]) => !outcome.startsWith("denied"));
    expect(possible).toEqual(LEFT_OPEN.map((name) => [name, "possible"]));
  },
);

test.if(info.level === "full")("the drill is able to notice a way out", async () => {
  const result = await runDrill(["landlock", "seccomp"]);
  for (const attempt of [
    "read a file (/etc/passwd)",
    "connect by TCP",
    "start a program",
    "signal the parent",
  ]) {
    expect(result[attempt]).toBe("possible");
  }
});

test("the table in the docs has a row for every attempt", () => {
  for (const name of attemptNames()) {
    expect(docs).toContain(`| ${name} | ${LEFT_OPEN.includes(name) ? "**possible**" : "denied"} |`);
  }
});
