// Text of a model is shown while it arrives, without any part of a secret.
import { expect, test } from "bun:test";
import { DeltaBuffer } from "../../src/conversation/delta-buffer.ts";
import { createRedactor } from "../../src/core/redact/index.ts";

const KEY = "hunter2-hunter2-hunter2";
const redact = createRedactor({ shapes: true, known: [KEY] });

function emittedTexts(text: string, chars: number): string[] {
  const sent: string[] = [];
  const buffer = new DeltaBuffer(redact, (piece) => sent.push(piece));
  for (let offset = 0; offset < text.length; offset += chars) buffer.add(text.slice(offset, offset + chars));
  buffer.flush();
  return sent;
}

const SECRETS: [string, string][] = [
  ["a key of this run", `${KEY} `],
  ["a password", "the line was\npassword = s3cr3tpw-s3cr3tpw\nand so on "],
  ["an option", "--password s3cr3tpw-s3cr3tpw "],
  [
    "a private key",
    `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEow \n".repeat(40)}-----END RSA PRIVATE KEY-----\n`,
  ],
];

for (const [name, secret] of SECRETS) {
  test(`secrets stay masked wherever the chunks end: ${name}`, () => {
    for (let before = 60; before < 140; before += 1) {
      const text = `${"abc ".repeat(before).slice(0, before)} ${secret}${"word ".repeat(60)}`;
      for (const chars of [1, 3, 20]) expect(emittedTexts(text, chars).join("")).toBe(redact(text));
    }
  });
}

test("text is emitted while it arrives, also for long lines", () => {
  expect(emittedTexts("word ".repeat(200), 7).length).toBeGreaterThan(8);
});

test("text without a boundary is emitted at the end, in linear time", () => {
  const start = performance.now();
  expect(emittedTexts("x".repeat(2_000_000), 20)).toEqual(["x".repeat(2_000_000)]);
  expect(performance.now() - start).toBeLessThan(5000);
});
