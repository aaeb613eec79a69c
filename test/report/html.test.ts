// The HTML template tag: hostile text is escaped in every position.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { html, joined, raw } from "../../src/report/html.ts";
import { HOSTILE } from "./data.ts";

/** Tags and attribute values of a page as read by Bun's streaming HTML parser. */
function read(page: string): { tags: string[]; values: string[]; text: string } {
  const parsed = { tags: [] as string[], values: [] as string[], text: "" };
  new HTMLRewriter()
    .on("*", {
      element(element) {
        parsed.tags.push(element.tagName);
        for (const [, value] of element.attributes) parsed.values.push(value);
      },
      text(chunk) {
        parsed.text += chunk.text;
      },
    })
    .transform(page);
  return parsed;
}

const hostile = fc.oneof(
  fc.constantFrom(HOSTILE, `" onclick="x`, "' onclick='x", "<b>", "</p><script>", "<!--", "&lt;", "\u202e`"),
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("<", ">", '"', "'", "`", "&", "/", "=", "a", " ", "\n", "-", "!"))
    .map((c) => c.join("")),
);

test("values in text and attributes cannot become tags or other attributes", () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const page = html`<p title="${a}" lang='${b}'>${b}<i>${[html`<u>${a}</u>`, html`<s>${b}</s>`]}</i></p>`;
      const parsed = read(page.toString());
      expect(parsed.tags).toEqual(["p", "i", "u", "s"]);
      expect(parsed.values).toHaveLength(2);
      expect(parsed.text).not.toMatch(/[<>"'`]/);
    }),
    { numRuns: 1000 },
  );
});

test("numbers, finished and trusted HTML are inserted as they are, and text is escaped once", () => {
  const piece = html`<b>${"&"}</b>`;
  expect(html`${1}${piece}${[piece, piece]}${raw("<hr>")}`.toString()).toBe(
    "1<b>&amp;</b><b>&amp;</b><b>&amp;</b><hr>",
  );
  expect(joined([piece, raw("<hr>")], "<\n").toString()).toBe("<b>&amp;</b>&lt;\n<hr>");
});

test("an object that looks like finished HTML is escaped", () => {
  const fake = JSON.parse('{"markup":"<script>"}');
  expect(html`${fake}`.toString()).not.toContain("<script>");
});
