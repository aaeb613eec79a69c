// Encodes argument lists as the bytes of a request. Long texts are sent raw after the JSON: no escaping, no parsing, and one
// byte per character where possible.
import type { JsonValue } from "../../src/core/json.ts";
import type { RawArgument } from "../protocol.ts";
import { type Argument, RawText } from "../types.ts";

/** A text argument longer than this is sent raw. */
const RAW_CHARS = 4096;

export interface EncodedArguments {
  argsBytes: number;
  raws: RawArgument[];
  body: Uint8Array[];
  bytes: number;
}

/** Encodes argument lists; top-level string arguments of more than RAW_CHARS characters are sent raw. */
export function encodeArguments(lists: readonly Argument[][]): EncodedArguments {
  const raws: RawArgument[] = [];
  const texts: Uint8Array[] = [];
  const lines = lists.map((args, list) => {
    const plain = args.map((value, arg): JsonValue => {
      if (value instanceof RawText) {
        raws.push({ list, arg, encoding: "latin1", bytes: value.bytes.byteLength });
        texts.push(value.bytes);
        return null;
      }
      if (typeof value !== "string" || value.length <= RAW_CHARS) return value;
      const encoding = isLatin1(value) ? "latin1" : "utf16le";
      const bytes = Buffer.from(value, encoding);
      raws.push({ list, arg, encoding, bytes: bytes.byteLength });
      texts.push(bytes);
      return null;
    });
    return JSON.stringify(plain);
  });
  const args = Buffer.from(lines.join("\n"), "utf8");
  const bytes = texts.reduce((sum, text) => sum + text.byteLength, args.byteLength);
  return { argsBytes: args.byteLength, raws, body: [args, ...texts], bytes };
}

function isLatin1(text: string): boolean {
  // The first test is seven times faster and enough for plain ASCII, which most logs are.
  return Buffer.byteLength(text, "utf8") === text.length || !/[^\x00-\xff]/.test(text);
}

/** Approximate size of an argument list in bytes, to split long lists of calls into requests of bounded size. */
export function estimateBytes(args: readonly Argument[]): number {
  let sum = 2;
  for (const value of args) {
    sum +=
      typeof value === "string" || value instanceof RawText ? value.length + 2 : estimateValueBytes(value, 6);
  }
  return sum;
}

function estimateValueBytes(value: JsonValue, depth: number): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null || depth === 0) return 8;
  let sum = 2;
  for (const [key, member] of Object.entries(value))
    sum += key.length + 3 + estimateValueBytes(member, depth - 1);
  return sum;
}
