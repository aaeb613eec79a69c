// Replies that must be exactly one JSON object.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { readJsonReply } from "../../src/conversation/json-reply.ts";

const schema = z.strictObject({ path: z.string(), lines: z.array(z.int()) });
const GOOD = '{"path": "a", "lines": [1]}';

describe("accepted", () => {
  const value = { path: "a", lines: [1] };
  for (const [name, reply] of [
    ["bare", GOOD],
    ["with space around", `\n  ${GOOD}\n\n`],
    ["in one fence", `\`\`\`json\n${GOOD}\n\`\`\``],
    ["in a fence without a language", `~~~\n${GOOD}\n~~~`],
    ["after thoughts", `<think>{"path": 1}</think>\n${GOOD}`],
  ]) {
    test(String(name), () => expect(readJsonReply(String(reply), schema)).toEqual({ ok: true, value }));
  }
  test("a string that contains a fence", () => {
    const text = "```js\ncode\n```\n";
    const reply = JSON.stringify({ path: text, lines: [] });
    expect(readJsonReply(reply, schema)).toEqual({ ok: true, value: { path: text, lines: [] } });
    const fenced = readJsonReply(`\`\`\`json\n${reply}\n\`\`\``, schema);
    expect(fenced).toEqual({ ok: true, value: { path: text, lines: [] } });
  });
});

describe("refused with the reason", () => {
  for (const [name, reply, problem] of [
    ["prose before", `Here it is:\n${GOOD}`, /not one JSON object and nothing else/],
    ["prose after", `${GOOD}\nDone.`, /not JSON/],
    ["prose beside a fence", `Here:\n\`\`\`json\n${GOOD}\n\`\`\``, /nothing else/],
    ["prose below a fence", `\`\`\`json\n${GOOD}\n\`\`\`\nDone.`, /nothing else/],
    ["two fences", `\`\`\`json\n${GOOD}\n\`\`\`\n\`\`\`json\n${GOOD}\n\`\`\``, /nothing else/],
    ["an unclosed fence", `\`\`\`json\n${GOOD}`, /nothing else/],
    ["two objects", `${GOOD}\n${GOOD}`, /not JSON/],
    ["a list", `[${GOOD}]`, /nothing else/],
    ["a list in a fence", `\`\`\`json\n[${GOOD}]\n\`\`\``, /not an object/],
    ["cut off", GOOD.slice(0, 12), /not JSON/],
    ["nothing", "", /nothing else/],
    ["a wrong value", '{"path": "a", "lines": [1.5]}', /^lines\.0: /],
    ["an unknown key", '{"path": "a", "lines": [], "more": 1}', /more/],
  ] as const) {
    test(name, () => {
      const read = readJsonReply(reply, schema);
      expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    });
  }
});
