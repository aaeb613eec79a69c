// What can stand where on a command line, collected from the commands themselves, and the scripts that
// complete it in bash, zsh and fish.
import { leafKeys } from "../config/keys.ts";
import { type Arg, type Args, type Command, type CommandEntry, GLOBAL_ARGS } from "./command.ts";

export interface CompletionNode {
  /** Words after `atomsmith`, e.g. `config show`; empty for the program itself. */
  path: string;
  /** Names of commands that may follow, with their summaries. */
  commands: { name: string; summary: string }[];
  flags: CompletionFlag[];
  /** Fixed words of the first positional. */
  words: string[];
  /** The first positional is an item: ids are asked of the program when they are wanted. */
  items: boolean;
}

export interface CompletionFlag {
  /** With dashes. */
  name: string;
  description: string;
  takes: "nothing" | "file" | "folder" | "choice" | "key" | "text";
  choices: readonly string[];
}

/** Loads every command and lists what it accepts. */
export async function completionTree(entries: readonly CommandEntry[]): Promise<CompletionNode[]> {
  const globals = flagsOf(GLOBAL_ARGS);
  const nodes: CompletionNode[] = [
    {
      path: "",
      commands: entries.map(({ name, summary }) => ({ name, summary })),
      flags: globals,
      words: [],
      items: false,
    },
  ];
  for (const entry of entries) await collect(entry, "", globals, nodes);
  return nodes;
}

async function collect(
  entry: CommandEntry,
  prefix: string,
  globals: CompletionFlag[],
  nodes: CompletionNode[],
): Promise<void> {
  const loaded = await entry.load();
  const path = prefix === "" ? entry.name : `${prefix} ${entry.name}`;
  if (loaded.kind === "group") {
    const commands = loaded.commands.map(({ name, summary }) => ({ name, summary }));
    const meant = await loaded.fallback?.load();
    const items = meant?.kind === "command" && takesItem(meant);
    nodes.push({ path, commands, flags: globals, words: [], items });
    for (const below of loaded.commands) await collect(below, path, globals, nodes);
    return;
  }
  const first = Object.values(loaded.args).find((arg) => arg.type === "positional");
  const words = first?.type === "positional" ? [...(first.options ?? [])] : [];
  const flags = [...flagsOf(loaded.args), ...globals];
  nodes.push({ path, commands: [], flags, words, items: takesItem(loaded) });
}

/** Is the first positional an item? */
function takesItem({ args }: Command): boolean {
  const first = Object.values(args).find((arg) => arg.type === "positional");
  return first?.type === "positional" && ITEM_HINTS.has(first.valueHint);
}

/** Value hints of positionals that take an id of an item. */
const ITEM_HINTS: ReadonlySet<string> = new Set([
  "ATOM_DIR",
  "DIR|GLOB",
  "ITEM",
  "ITEM.md",
  "ITEM_ID",
  "PAGE",
]);

function flagsOf(args: Args): CompletionFlag[] {
  return Object.entries(args)
    .filter(([, arg]) => arg.type !== "positional")
    .map(([name, arg]) => ({
      name: name.length === 1 ? `-${name}` : `--${name}`,
      description: arg.description,
      takes: takes(arg),
      choices: choicesOf(arg),
    }));
}

const KEY_HINT = "KEY.PATH=VALUE";

function choicesOf(arg: Arg): readonly string[] {
  if (arg.type === "enum") return arg.options;
  if (arg.type !== "string") return [];
  if (arg.valueHint === KEY_HINT) {
    // A key with names of a person's own ends before them.
    return leafKeys().map((key) => (key.endsWith(".*") ? key.slice(0, -1) : `${key}=`));
  }
  return arg.offer ?? [];
}

function takes(arg: Arg): CompletionFlag["takes"] {
  if (arg.type === "boolean") return "nothing";
  if (arg.type === "enum" || (arg.type === "string" && arg.offer !== undefined)) return "choice";
  if (arg.type === "string" && arg.valueHint === KEY_HINT) return "key";
  if (arg.type === "string" && /^(FILE|PATH|F)\b/.test(arg.valueHint)) return "file";
  return arg.type === "string" && arg.valueHint.includes("DIR") ? "folder" : "text";
}

const HEAD = (shell: string) =>
  `# ${shell} completion of atomsmith; made by: atomsmith completion ${shell}\n`;

/** Every flag with the way its value is completed, by shell pattern. */
function valueFlags(nodes: readonly CompletionNode[]): Map<string, CompletionFlag> {
  const flags = new Map<string, CompletionFlag>();
  for (const node of nodes) {
    for (const flag of node.flags) if (flag.takes !== "nothing") flags.set(flag.name, flag);
  }
  return flags;
}

/** Lines of a `case` over flags that take values; `emit` gives the shell's way to complete each kind. */
function valueCases(
  nodes: readonly CompletionNode[],
  emit: (flag: CompletionFlag) => string,
  indent: string,
): string[] {
  return [...valueFlags(nodes).values()].map((flag) => `${indent}${flag.name}) ${emit(flag)} ;;`);
}

function wordsOf(node: CompletionNode): string {
  return [...node.commands.map((c) => c.name), ...node.words].join(" ");
}

/** The part that bash and zsh share: walk the words to find the command, then offer what fits. */
function posixBody(nodes: readonly CompletionNode[]): string {
  const paths = nodes.filter((n) => n.path !== "").map((n) => `"${n.path}"`);
  const takesValue = [...valueFlags(nodes).keys()].join("|");
  return `  local at="" word next skip=0
  for word in "\${before[@]}"; do
    if [ "$skip" = 1 ]; then skip=0; continue; fi
    case "$word" in
      ${takesValue}) skip=1; continue ;;
      -*) continue ;;
    esac
    next="\${at:+$at }$word"
    case "$next" in
      ${paths.join("|")}) at="$next" ;;
    esac
  done
  case "$at" in
${nodes
  .map((n) => {
    const flags = n.flags.map((f) => f.name).join(" ");
    return `    "${n.path}") offer="${wordsOf(n)}"; flags="${flags}"${n.items ? "; items=1" : ""} ;;`;
  })
  .join("\n")}
  esac`;
}

function bash(nodes: readonly CompletionNode[]): string {
  const cases = valueCases(
    nodes,
    (flag) => {
      if (flag.takes === "choice")
        return `COMPREPLY=($(compgen -W "${flag.choices.join(" ")}" -- "$cur")); return`;
      if (flag.takes === "key")
        return `compopt -o nospace 2>/dev/null; COMPREPLY=($(compgen -W "${flag.choices.join(" ")}" -- "$cur")); return`;
      if (flag.takes === "file")
        return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); return`;
      if (flag.takes === "folder")
        return `compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); return`;
      return "return";
    },
    "    ",
  );
  return `${HEAD("bash")}_atomsmith() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" offer="" flags="" items=""
  local before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  case "$prev" in
${cases.join("\n")}
  esac
${posixBody(nodes)}
  if [ "\${cur:0:1}" = "-" ]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [ -n "$items" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -W "$offer $("\${COMP_WORDS[0]}" completion items 2>/dev/null)" -- "$cur"; compgen -f -- "$cur"))
  elif [ -n "$offer" ]; then
    COMPREPLY=($(compgen -W "$offer" -- "$cur"))
  else
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _atomsmith atomsmith
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  const cases = valueCases(
    nodes,
    (flag) => {
      if (flag.takes === "choice") return `compadd -- ${flag.choices.join(" ")}; return`;
      if (flag.takes === "key") return `compadd -S '' -- ${flag.choices.join(" ")}; return`;
      if (flag.takes === "file") return "_files; return";
      return flag.takes === "folder" ? "_files -/; return" : "return";
    },
    "    ",
  );
  return `#compdef atomsmith
${HEAD("zsh")}_atomsmith() {
  setopt localoptions shwordsplit
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}" offer="" flags="" items=""
  local -a before
  before=("\${(@)words[2,CURRENT-1]}")
  case "$prev" in
${cases.join("\n")}
  esac
${posixBody(nodes)}
  if [ "\${cur[1]}" = "-" ]; then
    compadd -- $flags
  elif [ -n "$items" ]; then
    compadd -- $offer $("\${words[1]}" completion items 2>/dev/null)
    _files
  elif [ -n "$offer" ]; then
    compadd -- $offer
  else
    _files
  fi
}
compdef _atomsmith atomsmith
`;
}

function fish(nodes: readonly CompletionNode[]): string {
  const quote = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const lines: string[] = [];
  for (const node of nodes) {
    const words = node.path === "" ? [] : node.path.split(" ");
    const inside = words.map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = node.commands.map((c) => c.name);
    const not = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(" ")}`] : [];
    const when = [...inside, ...not].join("; and ");
    const condition = when === "" ? "" : ` -n ${quote(when)}`;
    for (const command of node.commands) {
      lines.push(`complete -c atomsmith${condition} -f -a ${command.name} -d ${quote(command.summary)}`);
    }
    if (node.words.length > 0)
      lines.push(`complete -c atomsmith${condition} -f -a ${quote(node.words.join(" "))}`);
    if (node.items)
      lines.push(`complete -c atomsmith${condition} -a ${quote("(atomsmith completion items 2>/dev/null)")}`);
    if (node.commands.length > 0 && node.path !== "") continue;
    for (const flag of node.flags) lines.push(fishFlag(flag, node.path === "" ? "" : condition, quote));
  }
  return `${HEAD("fish")}${[...new Set(lines)].join("\n")}\n`;
}

function fishFlag(flag: CompletionFlag, condition: string, quote: (text: string) => string): string {
  const name = flag.name.startsWith("--") ? `-l ${flag.name.slice(2)}` : `-s ${flag.name.slice(1)}`;
  const value =
    flag.takes === "choice" || flag.takes === "key"
      ? ` -x -a ${quote(flag.choices.join(" "))}`
      : flag.takes === "nothing"
        ? ""
        : flag.takes === "text"
          ? " -x"
          : " -r";
  return `complete -c atomsmith${condition} ${name}${value} -d ${quote(flag.description)}`;
}

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script of a shell. */
export function completionScript(shell: Shell, nodes: readonly CompletionNode[]): string {
  return { bash, zsh, fish }[shell](nodes);
}
