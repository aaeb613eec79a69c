// `label PAGE`: writes worked examples into a page, interactively or by flags.
import { isAbsolute, relative } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { quote, shellFlags } from "../../core/shell.ts";
import { count } from "../../core/words.ts";
import { exampleOfMarking } from "../../label/marking.ts";
import { exampleBlock, hasCheck, type NewBlock, openPage, writeBlocks } from "../../label/page.ts";
import type { LabelSession, Preview } from "../../label/session.ts";
import { openLabelSession } from "../../loops/item/label-session.ts";
import { fencedBlock } from "../../spec/index.ts";
import { type ArgValues, COMMON_ARGS, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { pageFor } from "../item-target.ts";
import { LabelApp } from "../label/app.ts";
import { ChooseScreen, FilesScreen } from "../label/choose.ts";
import { PreviewScreen } from "../label/preview.ts";
import { repeatedFlags } from "../repeated-flags.ts";
import { FullScreen, KeyQueue } from "../terminal.ts";

const ARGS = {
  page: { type: "positional", valueHint: "PAGE", description: "the ItemSpec", required: true },
  file: {
    type: "string",
    valueHint: "LOG",
    description: "the log that contains the line, below the search root",
  },
  line: {
    type: "string",
    valueHint: "N[-M]",
    description: "number of the line, or the range of lines of one record",
  },
  value: { type: "string", valueHint: "TEXT", description: "text of the line that is the value" },
  field: {
    type: "string",
    valueHint: "NAME=TEXT",
    multiple: true,
    description: "text of the line that is a field; may be repeated",
  },
  none: { type: "boolean", description: "the line is not a record" },
  check: {
    type: "boolean",
    description: "if the page has no check block, write a proposed one; alone or with an example",
  },
  print: { type: "boolean", description: "print the blocks and write nothing" },
  "search-root": COMMON_ARGS["search-root"],
  out: COMMON_ARGS.out,
  cache: COMMON_ARGS.cache,
} as const;

type Values = ArgValues<typeof ARGS>;

export const labelCommand = defineCommand({
  name: "label",
  summary: "create worked examples of a page by marking lines of its logs",
  details:
    "On a terminal: choose a line of the logs, mark its value and fields, and preview what is extracted from " +
    "all logs; mark wrong results until the preview is right. The examples are written into section 1 of the page. " +
    "With --file and --line it writes one example without interaction; an example of the same line is replaced. " +
    "No model is used.",
  args: ARGS,
  examples: [
    {
      command: "atomsmith label IMP-10.md --search-root logs",
      does: "mark lines interactively",
    },
    {
      command:
        "atomsmith label IMP-10.md --search-root logs --file sta.rpt --line 12 --value u1 --field slack=-1",
      does: "write one example",
    },
    {
      command: "atomsmith label IMP-10.md --search-root logs --file sta.rpt --line 14 --none",
      does: "write an example of a line that is not a record",
    },
  ],
  run: async (args, context) => {
    const page = openPage(pageFor(args.page, context));
    const session = await openLabelSession(page, context);
    if (args.file !== undefined || args.line !== undefined) return byFlags(args, session, context);
    if (args.check) return finish(args, session, wantedCheck(args, session), context);
    return atTerminal(args, session, context);
  },
});

async function byFlags(args: Values, session: LabelSession, context: CommandContext): Promise<ExitCode> {
  const { file, line, value } = args;
  if (file === undefined || line === undefined) {
    throw new AtomsmithError("usage", "--file and --line must be given together", {
      hint: "see: atomsmith label --help",
    });
  }
  if (args.none ? value !== undefined || args.field.length > 0 : value === undefined) {
    throw new AtomsmithError("usage", "give either --value (and --field) or --none", {
      hint: "see: atomsmith label --help",
    });
  }
  const path = logPath(file, context);
  if (!(await session.addLog(path))) {
    throw new AtomsmithError("usage", "cannot read the log as text below the search root", {
      where: file,
    });
  }
  const log = session.logs.find((candidate) => candidate.path === path);
  const [first, last] = lineRange(line, log?.lines.length ?? 0);
  const lines = (log?.lines ?? []).slice(first - 1, last);
  const at = Math.max(
    0,
    lines.findIndex((line) => value !== undefined && line.includes(value)),
  );
  const record = value === undefined ? null : { value, fields: fieldsOf(args.field), at };
  session.add(exampleOfMarking({ lines, record }));
  return finish(args, session, wantedCheck(args, session), context);
}

/** The check block that `--check` writes; undefined when the page has one. */
function wantedCheck({ check }: Values, session: LabelSession): string | null {
  return check && !hasCheck(session.page) ? session.proposedCheck() : null;
}

function isTerminal({ io, output, env }: CommandContext): boolean {
  return io.stderr.isTTY && !output.json && env["TERM"] !== "dumb";
}

/** Path of a log relative to the search root; `file` is relative to the search root or to the working directory. */
function logPath(file: string, context: CommandContext): string {
  const root = context.config.paths.search_root;
  const here = relative(root, context.resolve(file));
  return isAbsolute(file) ||
    (!here.startsWith("..") && !isAbsolute(here) && Bun.file(context.resolve(file)).size > 0)
    ? here
    : file;
}

function lineRange(text: string, count: number): [number, number] {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match === null || first < 1 || last < first || last > count) {
    throw new AtomsmithError("usage", `--line ${text}: out of range, the log has lines 1 to ${count}`, {
      hint: "write one line as 12, several as 12-15",
    });
  }
  return [first, last];
}

function fieldsOf(given: readonly string[]): Map<string, string> {
  const fields = new Map<string, string>();
  for (const assignment of given) {
    const at = assignment.indexOf("=");
    if (at < 1) throw new AtomsmithError("usage", `--field ${assignment}: expected NAME=TEXT`);
    const name = assignment.slice(0, at);
    if (fields.has(name)) throw new AtomsmithError("usage", `--field ${name} is given twice`);
    fields.set(name, assignment.slice(at + 1));
  }
  return fields;
}

async function atTerminal(args: Values, session: LabelSession, context: CommandContext): Promise<ExitCode> {
  const { io, output, signal } = context;
  const keys = isTerminal(context) ? KeyQueue.open(io, signal) : undefined;
  if (keys === undefined) {
    throw new AtomsmithError("usage", "label without --file and --line requires a terminal", {
      hint: "in scripts, use --file LOG --line N with --value TEXT and --field NAME=TEXT or with --none; or --check alone",
    });
  }
  const screen = new FullScreen(io);
  const app = new LabelApp(session, output.errorStyle);
  output.setLive(screen);
  try {
    app.push(new ChooseScreen(app));
    if (session.logs.length === 0) app.push(await FilesScreen.open(app));
    else if (session.examples.length > 0) app.push(new PreviewScreen(app));
    const left = await app.run(screen, keys);
    screen.stop();
    if (left.write) return await finish(args, session, left.check, context);
    output.result({ page: session.page.path, written: false, blocks: [] }, () => "");
    return EXIT.ok;
  } catch (error) {
    // Print the examples so that they can still be pasted into the page.
    screen.stop();
    if (session.own.length > 0)
      output.warn(session.own.map((example) => textOf(exampleBlock(example))).join("\n\n"));
    throw error;
  } finally {
    keys.close();
    output.setLive(undefined);
  }
}

async function finish(
  args: Values,
  session: LabelSession,
  check: string | null,
  context: CommandContext,
): Promise<ExitCode> {
  const { page } = session;
  const blocks: NewBlock[] = [
    ...session.own.map(exampleBlock),
    ...(check === null ? [] : [{ section: "2", kind: "check", content: check } as const]),
  ];
  const lines = args.print ? [] : await writeBlocks(page, blocks);
  const preview = session.preview();
  context.output.result(
    {
      page: page.path,
      written: !args.print,
      blocks: blocks.map((block, index) => ({
        kind: block.kind,
        section: block.section,
        line: lines[index] ?? null,
        text: textOf(block),
      })),
      preview: previewDocument(preview),
    },
    () => {
      if (args.print) return blocks.map(textOf).join("\n\n");
      const shown = relative(context.cwd, page.path);
      const flags = shellFlags(repeatedFlags(context, args));
      return [
        ...blocks.map(
          ({ kind, section }, index) => `${shown}:${lines[index]}  ${kind} block in section ${section}`,
        ),
        previewText(preview, session),
        `next: atomsmith generate ${quote(args.page)}${flags}`,
      ].join("\n");
    },
  );
  if (args.print) context.output.note(previewText(preview, session));
  return EXIT.ok;
}

function textOf({ kind, content }: NewBlock): string {
  return fencedBlock(kind, content);
}

function previewDocument(preview: Preview): unknown {
  if (preview.kind !== "records") return { kind: preview.kind };
  return { kind: "records", records: preview.records.length, left_out: preview.others.length };
}

function previewText(preview: Preview, session: LabelSession): string {
  const examples = count(session.examples.length, "example");
  switch (preview.kind) {
    case "records": {
      const { length } = preview.records;
      return `With ${examples}: ${count(length, "record")} in the logs.`;
    }
    case "question":
      return `With ${examples}, one line is undecided: ${preview.at.file}:${preview.at.line}. Add an example for it.`;
    case "contradiction":
      return `The ${examples} contradict each other: ${preview.message}.`;
    default:
      return "No example contains a record yet.";
  }
}
