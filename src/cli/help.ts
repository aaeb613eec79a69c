// Help texts. Plain text, at most 100 columns, pinned by snapshot tests.
import { hintOf } from "./args.ts";
import type { Arg, Args, Command, CommandEntry, CommandGroup } from "./command.ts";
import { COMMON_ARGS, GLOBAL_ARGS } from "./command.ts";
import { SECTIONS } from "./registry.ts";
import type { Style } from "./style.ts";

const WIDTH = 100;
const INDENT = "  ";

export const EXIT_TEXTS: Readonly<Record<number, string>> = {
  0: "success: all items accepted or passed",
  1: "internal error (a bug)",
  2: "usage or configuration error, or an unusable ItemSpec",
  3: "at least one item needs review",
  4: "provider or infrastructure error",
  5: "budget exhausted",
  6: "the sandbox is not available",
  7: "a check failed",
  8: "a check ended in an error",
  130: "interrupted",
};

/** Renders the help of the program. */
export function renderMainHelp(style: Style): string {
  const lines = [
    "atomsmith: turns checklist pages and logs into small validated checker functions, and runs them.",
    "",
    `${style.bold("Usage:")} atomsmith COMMAND [FLAGS]`,
  ];
  const width = Math.max(...SECTIONS.flatMap((s) => s.commands.map((c) => c.name.length)));
  for (const section of SECTIONS) {
    if (section.commands.length === 0) continue;
    lines.push("", style.bold(`${section.title}:`), ...commandLines(section.commands, width));
  }
  lines.push("", style.bold("Global flags:"), ...flagLines(GLOBAL_ARGS));
  lines.push("", style.bold("Exit codes:"), ...exitLines(EXIT_TEXTS));
  lines.push(
    "",
    "To start: atomsmith init, then atomsmith doctor. Help for a command: atomsmith COMMAND --help",
  );
  return `${lines.join("\n")}\n`;
}

/** Renders the help of a group like `spec` or `config`. */
export function renderGroupHelp(path: string, group: CommandGroup, style: Style): string {
  const lines = [
    ...wrap(`${path}: ${group.summary}`, WIDTH),
    "",
    `${style.bold("Usage:")} ${path} COMMAND [FLAGS]`,
  ];
  if (group.details !== undefined) lines.push("", ...wrap(group.details, WIDTH));
  const width = Math.max(...group.commands.map((c) => c.name.length));
  lines.push("", style.bold("Commands:"), ...commandLines(group.commands, width));
  lines.push("", `Help for a command: ${path} COMMAND --help`);
  return `${lines.join("\n")}\n`;
}

/** Renders the help of one command. */
export function renderCommandHelp(path: string, command: Command, style: Style): string {
  const lines = [
    ...wrap(`${path}: ${command.summary}`, WIDTH),
    "",
    `${style.bold("Usage:")} ${usageLine(path, command.args)}`,
  ];
  if (command.details !== undefined) lines.push("", ...wrap(command.details, WIDTH));
  const positionals = Object.values(command.args).filter((arg) => arg.type === "positional");
  if (positionals.length > 0) {
    lines.push("", style.bold("Arguments:"), ...columns(positionals.map((p) => [p.valueHint, describe(p)])));
  }
  const own = Object.entries(command.args).filter(([name]) => !(name in COMMON_ARGS));
  const common = Object.entries(command.args).filter(([name]) => name in COMMON_ARGS);
  const ownLines = flagLines(Object.fromEntries(own));
  if (ownLines.length > 0) lines.push("", style.bold("Flags:"), ...ownLines);
  const commonLines = flagLines(Object.fromEntries(common));
  if (commonLines.length > 0) lines.push("", style.bold("Common flags:"), ...commonLines);
  const everywhere = Object.entries(GLOBAL_ARGS).filter(([name]) => !(name in command.args));
  lines.push("", style.bold("Global flags:"), ...flagLines(Object.fromEntries(everywhere)));
  if (command.examples.length > 0) {
    lines.push("", style.bold("Examples:"));
    for (const example of command.examples) {
      lines.push(`${INDENT}# ${example.does}`, `${INDENT}${example.command}`);
    }
  }
  if (Object.keys(command.exits).length > 0) {
    lines.push("", style.bold("Exit codes:"), ...exitLines(command.exits));
  }
  return `${lines.join("\n")}\n`;
}

/** `atomsmith check ATOM_DIR... [FLAGS]` */
export function usageLine(path: string, args: Args): string {
  const words = Object.values(args)
    .filter((arg) => arg.type === "positional")
    .map((arg) => {
      const name = arg.multiple ? `${arg.valueHint}...` : arg.valueHint;
      return arg.required ? name : `[${name}]`;
    });
  return [path, ...words, "[FLAGS]"].join(" ");
}

function commandLines(commands: readonly CommandEntry[], width: number): string[] {
  return columns(commands.map((c) => [c.name.padEnd(width), c.summary]));
}

function flagLines(args: Args): string[] {
  const rows: [string, string][] = [];
  for (const [name, arg] of Object.entries(args)) {
    if (arg.type === "positional") continue;
    rows.push([flagLabel(name, arg), describe(arg)]);
  }
  return columns(rows);
}

function flagLabel(name: string, arg: Arg): string {
  const long = name.length === 1 ? `-${name}` : `--${name}`;
  const short = "alias" in arg && arg.alias !== undefined ? `-${arg.alias}, ` : "";
  const hint = hintOf(arg);
  const shownHint =
    arg.type === "enum" ? ` ${hint.length > 24 ? "NAME" : hint}` : hint === "" ? "" : ` ${hint}`;
  return `${short}${long}${shownHint}`;
}

function describe(arg: Arg): string {
  const parts = [arg.description];
  if (arg.type === "enum" && hintOf(arg).length > 24) parts.push(`: ${arg.options.join(", ")}`);
  if (arg.type === "positional" && arg.options) parts.push(`: ${arg.options.join(", ")}`);
  const multiple = "multiple" in arg && arg.multiple && arg.type !== "positional";
  if (multiple && !arg.description.includes("repeat")) parts.push("; may be repeated");
  if ("defaultHint" in arg && arg.defaultHint !== undefined) parts.push(` (default: ${arg.defaultHint})`);
  return parts.join("");
}

function exitLines(exits: Readonly<Record<number, string>>): string[] {
  return Object.entries(exits).map(([code, text]) => `${INDENT}${code.padStart(3)}  ${text}`);
}

/** Formats two columns; wraps the second. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(30, Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.flatMap(([left, right]) => {
    const text = wrap(right, WIDTH - width - 4);
    const head = left.length > width ? [`${INDENT}${left}`] : [];
    const body = text.map((line, i) => {
      const label = i === 0 && head.length === 0 ? left : "";
      return `${INDENT}${label.padEnd(width)}  ${line}`;
    });
    return [...head, ...body];
  });
}

/** Wraps at spaces; empty lines separate paragraphs, indented lines are kept. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    if (paragraph.length <= width || paragraph.startsWith(" ")) return [paragraph];
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, line];
  });
}
