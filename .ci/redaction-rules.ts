// Makes src/core/redact/gitleaks.json from the rule set of gitleaks (config/gitleaks.toml of a release, MIT licence):
//   bun .ci/redaction-rules.ts gitleaks.toml v8.30.1
// The patterns are RE2 expressions. What RegExp writes differently is rewritten: a flag in the middle of a group holds
// to the end of that group, and a named group has no P. The optional characters before the name of a setting, which
// change nothing in what is masked, are taken away: tried at every position, they make some rules quadratic. Thresholds of
// entropy and lists of allowed values are not used: they avoid false alarms of a scanner, and masking a sample value does no harm.
const [path, release] = process.argv.slice(2);
if (path === undefined || release === undefined) {
  console.error("Usage: bun .ci/redaction-rules.ts GITLEAKS_TOML RELEASE");
  process.exit(2);
}

/** Rules that are left out, with the reason. */
const LEFT_OUT: Record<string, string> = {
  "generic-api-key":
    "guesses by entropy and lists of English words; named settings are masked by our own rules",
  "curl-auth-header": "quadratic on hostile text; the header is masked by our own rules",
  "curl-auth-user": "quadratic on hostile text",
  "kubernetes-secret-yaml": "spans many lines and is quadratic on hostile text",
};

const PREFIX = String.raw`[\w.-]{0,50}?`;

interface Source {
  id: string;
  regex?: string;
  keywords: string[];
  secretGroup?: number;
}

const { rules } = Bun.TOML.parse(await Bun.file(path).text()) as { rules: Source[] };
const kept = rules.flatMap(({ id, regex, keywords, secretGroup }) => {
  if (regex === undefined || id in LEFT_OUT) return [];
  const pattern = toRegExpSource(regex.replaceAll(PREFIX, ""));
  const groups = new RegExp(`${pattern}|`).exec("")?.length ?? 1;
  const group = secretGroup ?? (groups > 1 ? 1 : 0);
  return [{ id, pattern, keywords, ...(group > 0 && { group }) }];
});
kept.sort((a, b) => (a.id < b.id ? -1 : 1));
const lines = kept.map((rule) => `    ${JSON.stringify(rule)}`).join(",\n");
await Bun.write(
  new URL("../src/core/redact/gitleaks.json", import.meta.url),
  `{\n  "source": "gitleaks ${release}, MIT License, Copyright (c) 2019 Zachary Rice",\n  "rules": [\n${lines}\n  ]\n}\n`,
);
console.log(`${kept.length} of ${rules.length} rules`);

/** Flags that stand alone become a group to the end of the group they stand in. */
function toRegExpSource(re2: string): string {
  const ends: string[] = [""];
  let out = "";
  for (let i = 0; i < re2.length; i += 1) {
    const char = re2[i] ?? "";
    if (char === "\\") {
      out += char + (re2[i + 1] ?? "");
      i += 1;
    } else if (char === "[") {
      const end = endOfClass(re2, i);
      out += characterClass(re2.slice(i, end));
      i = end - 1;
    } else if (char === "(") {
      const flags = /^\(\?(-?[ims]+)\)/.exec(re2.slice(i));
      if (flags !== null) {
        out += `(?${flags[1]}:`;
        ends[ends.length - 1] += ")";
        i += flags[0].length - 1;
      } else {
        ends.push("");
        out += re2.startsWith("(?P<", i) ? "(?" : "(";
        if (re2.startsWith("(?P<", i)) i += 2;
      }
    } else if (char === ")") {
      out += `${ends.pop()})`;
    } else out += char;
  }
  return out + ends.join("");
}

function endOfClass(re2: string, start: number): number {
  let i = start + 1;
  if (re2[i] === "^") i += 1;
  if (re2[i] === "]") i += 1;
  while (re2[i] !== "]") {
    if (re2.startsWith("[:", i)) i = re2.indexOf(":]", i) + 2;
    else i += re2[i] === "\\" ? 2 : 1;
  }
  return i + 1;
}

/** POSIX names of classes, as RE2 knows them. */
function characterClass(text: string): string {
  return text.replace("[:alnum:]", "A-Za-z0-9").replace("[:xdigit:]", "0-9A-Fa-f");
}
