// Replies of a model as directives: what is tolerated, dropped, or returned to the model.
import { describe, expect, test } from "bun:test";
import { readDirective } from "../../../src/loops/design/directive.ts";

const STAGES = ["embed", "validity"];
const read = (reply: unknown) =>
  readDirective(typeof reply === "string" ? reply : JSON.stringify(reply), STAGES);
const hello = { assistant_message: "hello" };

describe("tolerated", () => {
  test.each([
    ["bare", JSON.stringify(hello)],
    ["a fence", `\`\`\`json\n${JSON.stringify(hello)}\n\`\`\``],
    ["words around", `Here it is: ${JSON.stringify(hello)} I hope {this} helps.`],
    ["braces before", `I use {x} and {"y": 1}. ${JSON.stringify(hello)}`],
    ["thoughts before", `<think>{"assistant_message": "draft"}</think>${JSON.stringify(hello)}`],
    ["a second object", `${JSON.stringify(hello)}\n${JSON.stringify({ assistant_message: "second" })}`],
    [
      "braces in a text",
      JSON.stringify({ assistant_message: "hello", questions: [] }).replace(
        "[]",
        '[{"id":"a","question":"} {","why_needed":"\\""}]',
      ),
    ],
  ])("%s", (_what, reply) => {
    expect(read(reply)).toMatchObject({ ok: true, directive: { assistant_message: "hello" } });
  });

  test("only the message is required, and null counts as missing", () => {
    const nulls = Object.fromEntries(
      ["questions", "proposed_patches", "run_request", "context_requests", "confidence", "stop"].map(
        (key) => [key, null],
      ),
    );
    expect(read({ ...hello, ...nulls })).toMatchObject({
      ok: true,
      warnings: [],
      directive: {
        questions: [],
        proposed_patches: [],
        run_request: { run: false, run_until: "full" },
        stop: false,
      },
    });
  });

  test("unknown keys are dropped with a warning at every level", () => {
    const reading = read({
      ...hello,
      mood: 1,
      questions: [{ id: "a", question: "q", why_needed: "w", extra: 1 }],
      proposed_patches: [{ op: "remove", path: "/a", value: 1 }],
      run_request: { run: false, run_until: "nonsense", when: "now" },
    });
    expect(reading).toMatchObject({ ok: true });
    expect(reading.warnings).toEqual([
      "unknown key mood was dropped",
      "unknown key run_request.when was dropped",
      "unknown key questions.0.extra was dropped",
      "unknown key proposed_patches.0.value was dropped",
    ]);
  });

  test("null is a value in a patch", () => {
    const reading = read({ ...hello, proposed_patches: [{ op: "add", path: "/a", value: null }] });
    expect(reading.ok && reading.directive.proposed_patches[0]?.value).toBeNull();
  });
});

describe("returned to the model", () => {
  test.each([
    ["no object", "I cannot do that.", "no JSON object"],
    ["no message", { proposed_patches: [] }, "assistant_message"],
    ["message of a wrong type", { assistant_message: 3 }, "assistant_message"],
    ["cut off", '{"assistant_message": "hel', "not a JSON object"],
    ["unknown op", { ...hello, proposed_patches: [{ op: "merge", path: "/a" }] }, "proposed_patches.0.op"],
    [
      "path without a slash",
      { ...hello, proposed_patches: [{ op: "remove", path: "a" }] },
      "must begin with /",
    ],
    [
      "whole document",
      { ...hello, proposed_patches: [{ op: "replace", path: "", value: 1 }] },
      "whole document",
    ],
    ["no value", { ...hello, proposed_patches: [{ op: "add", path: "/a" }] }, "needs a value"],
    ["no from", { ...hello, proposed_patches: [{ op: "copy", path: "/a" }] }, "needs from"],
    [
      "from the whole document",
      { ...hello, proposed_patches: [{ op: "copy", path: "/a", from: "" }] },
      "whole document",
    ],
    ["confidence", { ...hello, confidence: 1.5 }, "confidence"],
    ["questions", { ...hello, questions: [{ id: "a", question: "q" }] }, "why_needed"],
    [
      "unknown stage",
      { ...hello, run_request: { run: true, run_until: "tapeout" } },
      "embed, validity, full",
    ],
    [
      "wrong type in context requests",
      { ...hello, context_requests: { need_full_spec: "yes" } },
      "need_full_spec",
    ],
  ])("%s", (_what, reply, problem) => {
    const reading = read(reply);
    expect(reading.ok).toBe(false);
    expect(reading.ok ? "" : reading.problem).toContain(problem);
  });
});

test("a long run of braces is read in linear time", () => {
  const start = performance.now();
  expect(read("{".repeat(200_000)).ok).toBe(false);
  expect(performance.now() - start).toBeLessThan(5_000);
});
