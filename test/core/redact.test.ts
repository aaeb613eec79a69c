// Masking of secrets: masked texts, unchanged texts, and running time.
import { describe, expect, test } from "bun:test";
import data from "../../src/core/redact/gitleaks.json" with { type: "json" };
import { createRedactor } from "../../src/core/redact/index.ts";
import type { ServiceRule } from "../../src/core/redact/services.ts";

describe("masking", () => {
  const redact = createRedactor({ shapes: true, known: ["hunter2-hunter2", "abc"] });
  const secrets: [string, string][] = [
    ["known", "the key hunter2-hunter2 was used"],
    ["openai", "key sk-proj-AbCdEfGhIjKlMnOpQrStUv"],
    ["github", `ghp_${"a1B2".repeat(9)}`],
    ["aws", "AKIAIOSFODNN7EXAMPLE"],
    ["url", "https://user:s3cr3tpw@host/x"],
    ["assignment", 'password="s3cr3tpw"'],
    ["assignment with blanks", "API_KEY = abcdef123456"],
    ["bearer", "Authorization: Bearer abcdefghijklmnopqrstuvwxyz"],
    ["a line of a file", "user: root\npassword: s3cr3tpw\nport: 1"],
    ["a quoted value", 'password: "s3cr3tpw", port: 1'],
    ["JSON", '{"password": "s3cr3tpw"}'],
    ["JSON inside JSON", JSON.stringify({ text: '{"password":"s3cr3tpw"}' })],
    ["a line of a file inside JSON", JSON.stringify({ text: "password: s3cr3tpw\nnext" })],
    ["an option", "psql --password s3cr3tpw -h db"],
    ["an option with a prefix", "run --db-password=s3cr3tpw"],
    ["arguments as a list", '["psql","--password","s3cr3tpw"]'],
    ["environment", "MYSQL_PASSWORD=s3cr3tpw"],
    ["client secret", "client_secret=s3cr3tpw"],
    ["a key with a colon", "api_key: abcdef123456"],
    ["cloud", "AWS_SECRET_ACCESS_KEY=s3cr3tpw/x+abcdef123456"],
    ["basic", "Authorization: Basic czNjcjN0cHc6YWJjZGVm"],
    ["basic in JSON", '{"Authorization": "Basic czNjcjN0cHc6YWJjZGVm"}'],
    ["private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----"],
  ];
  for (const [name, text] of secrets) {
    test(name, () => {
      const masked = redact(text);
      expect(masked).toContain("[MASKED:");
      for (const secret of [
        "hunter2",
        "AbCdEf",
        "a1B2a1B2",
        "IOSFODNN7",
        "s3cr3tpw",
        "abcdef123456",
        "MIIEow",
        "czNjcjN0cHc6",
      ]) {
        expect(masked).not.toContain(secret);
      }
    });
  }

  // Invented keys in the form of each service.
  const KEYS: [string, string][] = [
    ["slack-bot-token", "xoxb-781236542736-2364535789652-GkwFDQoHqzXDVsC6GzqYUypD"],
    ["gitlab-pat", "glpat-x8Vq2LmZ0pTnRw5KdYcJ"],
    [
      "stripe-access-token",
      "sk_test_51OuEMLAlTWGaDypq4P5cuDHbuKeG4tAGPYHJpEXQ7zE8mKK3jkhTFPvCxnSSK5zB5EQZrJsYdsatNmAHGgb0vSKD00GTMSWRHs",
    ],
    ["npm-access-token", "npm_7qLxWc0ZnPv4RtYk2MdHs9JbGf6Ea1Ui3Xo5"],
    [
      "hashicorp-tf-api-token",
      "Qw8rTy2UiOp4As.atlasv1.zX9cVbNm1qW3eR5tY7uI0pAs2dF4gH6jK8lZxC1vB3nM5qW7eR9tY0uI2oP4aS6",
    ],
    ["digitalocean-pat", "dop_v1_3f8a1c5e7b9d2f4a6c8e0b1d3f5a7c9e2b4d6f8a0c1e3b5d7f9a2c4e6b8d0f1a"],
  ];
  for (const [rule, key] of KEYS) {
    test(`key of a service: ${rule}`, () => {
      expect(redact(`deploy with ${key} now`)).toBe(`deploy with [MASKED:${rule}] now`);
    });
  }

  test("every rule of the data set compiles and has its keywords", () => {
    expect(data.rules.length).toBeGreaterThan(200);
    for (const { id, pattern, keywords, group } of data.rules as ServiceRule[]) {
      const groups = new RegExp(`${pattern}|`).exec("")?.length ?? 0;
      expect([id, (group ?? 0) < groups]).toEqual([id, true]);
      expect([id, keywords.length > 0, keywords.every((word) => word === word.toLowerCase())]).toEqual([
        id,
        true,
        true,
      ]);
    }
  });

  test("code and ordinary log text are unchanged", () => {
    const texts = [
      "const m = /password=(\\S+)/.exec(line);",
      'if (line.includes("api_key=")) continue;',
      "Failed password for root from 10.0.0.1 port 22 ssh2",
      "Path: clk_sk-gen/u1/Q  slack -0.012",
      "a secret: none; token expired; abc",
      "http://host:8080/path",
      "return { password: text, user };",
      "type Login = { password: string; user: string };",
      'const KEYS = ["password:", "secret="];',
      'line.startsWith("--password") || line.includes("api_key: ")',
      '/"password":\\s*"([^"]+)"/',
    ];
    for (const text of texts) expect(redact(text)).toBe(text);
  });

  test("no text takes quadratic time", () => {
    for (const piece of [
      " ",
      "-",
      "--",
      "a-",
      "\\",
      "password ",
      "token aaaa ",
      "authorization: ",
      '"',
      "basic a",
      "okta=",
      "curl -H ",
      "sumo: aaaaaaaaaaaa",
    ]) {
      for (const text of [
        piece.repeat(300_000 / piece.length),
        `authorization: basic ${piece.repeat(100_000)}`,
      ]) {
        const start = performance.now();
        redact(text);
        expect([piece, performance.now() - start < 3000]).toEqual([piece, true]);
      }
    }
  }, 20_000);

  test("masking twice gives the same as once", () => {
    for (const [, text] of secrets) expect(redact(redact(text))).toBe(redact(text));
  });

  test("with shapes off only known keys are masked", () => {
    const off = createRedactor({ shapes: false, known: ["hunter2-hunter2"] });
    expect(off("hunter2-hunter2 AKIAIOSFODNN7EXAMPLE")).toBe("[MASKED:known secret] AKIAIOSFODNN7EXAMPLE");
  });
});
