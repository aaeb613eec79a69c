// What every competitor runs: the same atom, in JavaScript and in Python, over the same lines.

/** The line that the atom looks for. */
export const LOG_LINE =
  "  data arrival time  U1234/clk_reg[3]/D  slack (VIOLATED) -0.0425  endpoint core/alu/add_17  corner ss_0p72v\n";
/** What stands around it in a timing report: nine such lines for one that matches. */
const OTHER_LINE =
  "  U1234/Y (INVX4_HVT)            0.0312   0.0187 r   1.2043 &   net core/alu/n_8841  fanout 3  cap 0.0042\n";
export const BLOCK = OTHER_LINE.repeat(9) + LOG_LINE;

/** JavaScript. Functions whose name ends in `_re` use the module of the sandbox, the others V8's or QuickJS's own
 * patterns. */
export const ATOM = `
function extract_context(text, source_file) {
  const out = [];
  let number = 0;
  for (const line of text.split("\\n")) {
    number += 1;
    const m = /slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)/.exec(line);
    if (m) out.push({ value: m[2], source_file, line_number: number, matched_content: line, parsed_fields: { state: m[1] } });
  }
  return out;
}
function count_lines(text) {
  let n = 0;
  for (const line of text.split("\\n")) {
    const m = /slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)/.exec(line);
    if (m && m[1].length > 0) n += 1;
  }
  return n;
}
function count_columns(text) {
  let n = 0;
  for (const line of text.split("\\n")) {
    const m = /(\\w+)\\/(\\w+) \\((\\w+)\\)\\s+(\\d+\\.\\d+)\\s+(\\d+\\.\\d+)/.exec(line);
    if (m && m[1].length > 0) n += 1;
  }
  return n;
}
function count_native(text) {
  let n = 0;
  for (const m of text.matchAll(/slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)/g)) if (m[1].length > 0) n += 1;
  return n;
}
function count_lines_re(text) {
  let n = 0;
  for (const line of text.split("\\n")) {
    const m = re.search("slack \\\\((VIOLATED|MET)\\\\)\\\\s+(-?\\\\d+\\\\.\\\\d+)", line);
    if (m && m.group(1).length > 0) n += 1;
  }
  return n;
}
function count_columns_re(text) {
  let n = 0;
  for (const line of text.split("\\n")) {
    const m = re.search("(\\\\w+)/(\\\\w+) \\\\((\\\\w+)\\\\)\\\\s+(\\\\d+\\\\.\\\\d+)\\\\s+(\\\\d+\\\\.\\\\d+)", line);
    if (m && m.group(1).length > 0) n += 1;
  }
  return n;
}
function count_re(text) {
  let n = 0;
  for (const m of re.finditer("slack \\\\((?P<state>VIOLATED|MET)\\\\)\\\\s+(?P<value>-?\\\\d+\\\\.\\\\d+)", text)) if (m.group("state").length > 0) n += 1;
  return n;
}
`;

export const PYTHON_ATOM = `
import re
def extract_context(text, source_file):
    out = []
    for number, line in enumerate(text.split("\\n"), 1):
        m = re.search(r"slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)", line)
        if m: out.append({"value": m[2], "source_file": source_file, "line_number": number, "matched_content": line, "parsed_fields": {"state": m[1]}})
    return out
def count_lines(text):
    n = 0
    for line in text.split("\\n"):
        m = re.search(r"slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)", line)
        if m and len(m[1]) > 0: n += 1
    return n
def count_columns(text):
    n = 0
    for line in text.split("\\n"):
        m = re.search(r"(\\w+)/(\\w+) \\((\\w+)\\)\\s+(\\d+\\.\\d+)\\s+(\\d+\\.\\d+)", line)
        if m and len(m[1]) > 0: n += 1
    return n
def count(text):
    n = 0
    for m in re.finditer(r"slack \\((VIOLATED|MET)\\)\\s+(-?\\d+\\.\\d+)", text):
        if len(m[1]) > 0: n += 1
    return n
`;

/** A log of about so many megabytes, every tenth line with a match. */
export function megabytes(count: number): string {
  return BLOCK.repeat(Math.floor((count * 1e6) / BLOCK.length));
}
