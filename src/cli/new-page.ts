// The page that `spec new` writes: every section with blocks to fill in. Open places are marked TODO, which
// `spec lint` reports.

/** Text of a new page. */
export function newPage(id: string): string {
  return `# ItemSpec: ${id}
## 1. Parsing Logic
{TODO: what one record is, in a sentence}

\`\`\`example
{TODO: one line of the log, unchanged}
---
value: {TODO: the text that patterns and waivers are compared with}
\`\`\`
\`\`\`example
{TODO: a line of the log that is not a record}
---
none
\`\`\`
\`\`\`witness
{TODO: a line that only a complete log contains}
\`\`\`
## 2. Check Logic
{TODO: what must hold, in a sentence}

\`\`\`check
requirements:
  value: N/A              # N/A: judge the records themselves; otherwise the number of patterns
  pattern_items: []
  expect: present         # absent: every record is a violation
  extra: fail             # info: allow records that no pattern names
  # where: {field: {at_least: 60}}
waivers:
  value: N/A
\`\`\`
## 3. Waiver Logic
N/A
## 4. Implementation Guide
### 4.1 Data Source & Extraction
\`{TODO: path or pattern of the log}\`
### 4.2 Special Scenarios
### 4.3 Test Data Generation
`;
}
