// The Node that the executable carries lost most of its ICU data (.ci/build/slim-node.ts). Atoms must not see a
// difference: what the language does with Unicode gives the same answers in a real sandbox on it as on a whole Node.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { icuItems, isUnused, trimIcu } from "../../.ci/build/icu.ts";
import { unsignPe } from "../../.ci/build/pe.ts";
import { slimNode } from "../../.ci/build/slim-node.ts";
import { Pool } from "../../sandbox/parent/pool.ts";
import { Session } from "../../sandbox/parent/session.ts";
import { jailedLaunch, plainLaunch, prepareRuntime } from "../../sandbox/runtime/launch.ts";
import { type AtomSession, DEFAULT_CALL_LIMITS } from "../../sandbox/types.ts";
import type { JsonValue } from "../../src/core/json.ts";
import { folders } from "../support/folder.ts";

// All scripts but the big blocks of ideographs and Hangul, in blocks so that one answer stays small.
const SOURCE = `
const RANGES = [[0x20, 0x3400], [0xa000, 0xac40], [0xd7a0, 0xd800], [0xe000, 0xe010], [0xf900, 0x14700],
  [0x16800, 0x17010], [0x1af00, 0x1fc00], [0x2f800, 0x2fa20], [0xe0000, 0xe01f0]];
const all = (() => {
  const parts = [];
  for (const [from, to] of RANGES) for (let c = from; c < to; c++) parts.push(String.fromCodePoint(c));
  return parts;
})();
const text = all.join("");
const spaced = all.join(" ");
function property(name) { return (text.match(new RegExp("\\\\p{" + name + "}", "gu")) ?? []).join(""); }
function sequences(name) {
  const emoji = ["😀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "❤️", "🏳️‍🌈", "x", "🇦"];
  const whole = new RegExp("^\\\\p{" + name + "}$", "v");
  return emoji.map((e) => whole.test(e));
}
function normal(form) { return spaced.normalize(form); }
function cases() { return [spaced.toLowerCase(), spaced.toUpperCase(), spaced.toLocaleLowerCase("tr")]; }
function folded(pattern, flags) { return text.match(new RegExp(pattern, flags)) ?? []; }
function sorted() { return [...all].filter((_, i) => i % 7 === 0).sort((a, b) => a.localeCompare(b)).join(""); }
function compared() {
  const words = ["résumé", "resume", "Resume", "a-b", "ab", "ß", "ss", "Å", "A", "file10", "file9", "Ω", "я"];
  return words.flatMap((a) => words.map((b) => a.localeCompare(b)));
}
function shown() { return [(1234567.891).toLocaleString(), (10n ** 20n).toLocaleString(), ["a", 1.5].toLocaleString()]; }
function python() {
  return [re.search("(?i)\\\\w+ß", "xSTRASSE straße").group(0), re.fullmatch("\\\\d+", "٣४").group(0),
    re.search("(?i)ſtop", "STOP") === null];
}
function globals() { return Object.getOwnPropertyNames(globalThis).sort(); }
`;

const PROPERTIES =
  `L Lu Ll Lt Lm Lo M Mn Mc N Nd Nl No P Pc Pd S Sm Sc Z Zs Cc Cf Co Cn Script=Greek Script=Cyrillic Script=Han
  Script=Arabic Script=Latin Script_Extensions=Deva Script_Extensions=Hira Alphabetic Uppercase Lowercase White_Space
  ID_Start ID_Continue Emoji Emoji_Presentation Extended_Pictographic Changes_When_NFKC_Casefolded
  Changes_When_Casefolded Default_Ignorable_Code_Point Bidi_Mirrored Ideographic Math Any Assigned`.split(
    /\s+/,
  );
const SEQUENCES = [
  "Basic_Emoji",
  "Emoji_Keycap_Sequence",
  "RGI_Emoji_Modifier_Sequence",
  "RGI_Emoji_Flag_Sequence",
  "RGI_Emoji_Tag_Sequence",
  "RGI_Emoji_ZWJ_Sequence",
  "RGI_Emoji",
];

const folder = folders("slim-node");
const pools: Pool[] = [];
let whole: Buffer;
let slim: Uint8Array;
let onWhole: AtomSession;
let onSlim: AtomSession;

/** A session on a Node of one's own, behind the jail where there is one. */
async function sessionOn(node: string | undefined): Promise<AtomSession> {
  const files = await prepareRuntime(() => {});
  const own = node === undefined ? files : { ...files, node };
  const pool = new Pool(jailedLaunch(own) ?? plainLaunch(own), 1, () => {});
  pools.push(pool);
  const limits = { ...DEFAULT_CALL_LIMITS, timeoutMs: 20_000 };
  return new Session({ name: "unicode.js", source: SOURCE }, pool, limits, {
    add: () => {},
    forgetEnded: () => [],
  });
}

beforeAll(async () => {
  const { node } = await prepareRuntime(() => {});
  whole = Buffer.from(await Bun.file(node).arrayBuffer());
  slim = slimNode(whole);
  const path = join(folder(), "node");
  writeFileSync(path, slim);
  chmodSync(path, 0o755);
  onWhole = await sessionOn(undefined);
  onSlim = await sessionOn(path);
}, 30_000);

afterAll(async () => {
  for (const pool of pools) await pool.close();
});

async function same(fn: string, argLists: JsonValue[][]): Promise<JsonValue[]> {
  const values = [];
  for (const args of argLists) {
    const [expected, got] = await Promise.all([onWhole.call(fn, args), onSlim.call(fn, args)]);
    if (!expected.ok || !got.ok) throw new Error(JSON.stringify([fn, args, expected, got]).slice(0, 500));
    // A difference of megabytes is of no use in a message.
    if (JSON.stringify(got.value) !== JSON.stringify(expected.value))
      throw new Error(`${fn} ${args} differs`);
    values.push(got.value);
  }
  return values;
}

test("properties, emoji sequences, normal forms and case are the same as in a whole Node", async () => {
  const found = await same(
    "property",
    PROPERTIES.map((name) => [name]),
  );
  expect(found.filter((text) => text === "")).toEqual([]);
  const rgi = (await same("sequences", [...SEQUENCES.map((name) => [name])])).at(-1);
  expect(rgi).toEqual([true, true, true, true, true, true, true, true, false, false]);
  const forms = await same("normal", [["NFC"], ["NFD"], ["NFKC"], ["NFKD"]]);
  expect(new Set(forms).size).toBe(4);
  await same("cases", [[]]);
  await same("folded", [
    ["[a-zß-ÿσ]", "giu"],
    ["[\\p{Lu}--[A-Z]]", "giv"],
    ["\\w|[^\\P{Lowercase}]", "giu"],
  ]);
}, 60_000);

test("what the guest leaves of locales falls back to the same answers", async () => {
  await same("sorted", [[]]);
  await same("compared", [[]]);
  expect(await same("shown", [[]])).toEqual([["1,234,567.891", "100,000,000,000,000,000,000", "a,1.5"]]);
  await same("python", [[]]);
  await same("globals", [[]]);
}, 60_000);

test("most of the ICU data is gone, and nothing but it has changed", () => {
  const items = icuItems(whole);
  const dropped = items.filter((item) => isUnused(item.name));
  const bytes = dropped.reduce((sum, item) => sum + item.end - item.start, 0);
  expect(bytes).toBeGreaterThan(25e6);
  const first = items[0]?.start ?? 0;
  expect(Buffer.compare(trimIcu(whole).subarray(0, first), whole.subarray(0, first))).toBe(0);
  for (const name of [
    "root.res",
    "coll/root.res",
    "coll/res_index.res",
    "en.res",
    "uemoji.icu",
    "nfkc.nrm",
  ]) {
    const item = items.find((one) => one.name === name) ?? { start: 0, end: 0 };
    expect(item.end).toBeGreaterThan(item.start);
    const kept = slim.subarray(item.start, item.end);
    expect(Buffer.compare(kept, whole.subarray(item.start, item.end))).toBe(0);
  }
});

test("an archive that does not parse to the end is not touched", () => {
  const items = icuItems(whole);
  const middle = items[Math.floor(items.length / 2)] ?? { start: 0, end: 0 };
  const broken = Buffer.from(whole);
  broken.fill(0, middle.start, middle.start + 4);
  expect(() => trimIcu(broken)).toThrow("no ICU data archive");
  expect(() => trimIcu(new Uint8Array(1000))).toThrow("no ICU data archive");
});

test("a signature is taken off a Windows program, and nothing else is", () => {
  const program = new Uint8Array(1000).fill(7);
  const view = new DataView(program.buffer);
  view.setUint16(0, 0x4d5a);
  view.setUint32(0x3c, 128, true);
  view.setUint32(128, 0x50450000);
  view.setUint16(128 + 24, 0x20b, true);
  view.setUint32(128 + 24 + 144, 900, true);
  view.setUint32(128 + 24 + 148, 100, true);
  const unsigned = unsignPe(program);
  expect(unsigned.byteLength).toBe(900);
  expect([...unsigned.subarray(128 + 24 + 144, 128 + 24 + 152)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(unsignPe(unsigned)).toBe(unsigned);
  view.setUint32(128 + 24 + 148, 90, true);
  expect(unsignPe(program)).toBe(program);
});
