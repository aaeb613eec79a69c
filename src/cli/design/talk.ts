// The conversation on a terminal: input is sent to the model, `/` commands work without one, and proposals are
// approved with one key.
import { AtomsmithError, type ExitCode, toAtomsmithError } from "../../core/errors.ts";
import type { JsonValue } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";
import {
  executeRun,
  FULL,
  ProjectReader,
  readTurnMessages,
  runTurn,
  valueAt,
} from "../../loops/design/index.ts";
import type { CommandContext } from "../context.ts";
import { attachProgress } from "../progress/attach.ts";
import type { Style } from "../style.ts";
import { KeyQueue } from "../terminal.ts";
import { type Completions, LineEditor } from "./editor.ts";
import { patchText, runText, stateText, turnText } from "./render.ts";
import { exitOfState, type Session } from "./session.ts";

export function isTerminal({ io, output, env }: CommandContext): boolean {
  return io.stderr.isTTY && !output.json && env["TERM"] !== "dumb";
}

const HELP = `Say what you want; Enter sends, \\ at the end of a line continues it. Tab completes commands and pointers.
/approve ID|run   apply a patch, or start the pending run
/reject ID|run    reject a patch or the pending run
/set POINTER VALUE  set one value without the model (VALUE is JSON or plain text)
/run [STAGE]      run the pipeline up to a stage
/show [POINTER]   show the spec or a part of it; also /patches /runs /state
/undo             undo the last approved patch
/help  /quit      Ctrl-D also quits; pending proposals are kept`;

const COMMANDS = [
  "/approve",
  "/reject",
  "/set",
  "/run",
  "/show",
  "/patches",
  "/runs",
  "/state",
  "/undo",
  "/help",
  "/quit",
];

/** Runs the conversation until the user quits: 3 if something is pending then, else 0. */
export async function atTerminal(session: Session): Promise<ExitCode> {
  const { context, project } = session;
  context.endProgress();
  const keys = KeyQueue.open(context.io, context.signal);
  if (keys === undefined) {
    throw new AtomsmithError("usage", "the conversation requires a terminal", {
      hint: "in scripts, use --message TEXT",
    });
  }
  try {
    const history = await readTurnMessages(project.reader);
    const talk = new Talk(session, new LineEditor(context.io, keys, history, completionsOf(session)));
    await talk.run();
    return exitOfState(project.state);
  } finally {
    keys.close();
  }
}

class Talk {
  private readonly session: Session;
  private readonly editor: LineEditor;
  private readonly style: Style;

  constructor(session: Session, editor: LineEditor) {
    this.session = session;
    this.editor = editor;
    this.style = session.context.output.errorStyle;
  }

  async run(): Promise<void> {
    const { project } = this.session;
    this.say(
      `${this.style.bold(project.reader.project.name)}, spec version ${project.reader.latestVersion().version}; /help lists the commands`,
    );
    this.say(stateText(project.state, this.style, this.session.dirFlag));
    for (;;) {
      const line = (await this.editor.read("> "))?.trim();
      if (line === undefined || line === "/quit") return;
      if (line === "") continue;
      try {
        await (line.startsWith("/") ? this.command(line) : this.turn(line));
      } catch (thrown) {
        const error = toAtomsmithError(thrown);
        if (this.session.context.signal.aborted || error.kind === "internal" || error.kind === "interrupted")
          throw thrown;
        this.say(`${this.style.red("error:")} ${error.message}`);
        if (error.details.hint !== undefined) this.say(this.style.dim(`  ${error.details.hint}`));
      }
    }
  }

  private async turn(message: string): Promise<void> {
    const { project } = this.session;
    const llm = this.session.model();
    const document = await this.withProgress(() => runTurn(project, llm, message));
    this.say(
      turnText(
        { ...document, pending_patch_ids: [], pending_run: null },
        project,
        this.style,
        this.session.dirFlag,
      ),
    );
    if (document.error === null) await this.askForDecisions();
  }

  /** Asks for a decision on each pending proposal, one key each. */
  private async askForDecisions(): Promise<void> {
    const { project } = this.session;
    for (const id of project.state.pending_patch_ids) {
      // A patch may have become invalid because of the previous one.
      if (!project.state.pending_patch_ids.includes(id)) continue;
      const key = await this.editor.choose(`approve patch ${id}? [y]es [n]o [s]how [l]ater `, [
        "y",
        "n",
        "s",
        "l",
      ]);
      if (key === "y") await project.approvePatch(id, null);
      else if (key === "n") await project.rejectPatch(id, null);
      else if (key === "s") this.say(patchText(project, id, this.style));
      else return;
    }
    const { pending_run, pending_patch_ids } = project.state;
    if (pending_run === null || pending_patch_ids.length > 0) return;
    this.say(`a run until ${pending_run.run_until}: ${pending_run.reason}`);
    const key = await this.editor.choose("start the run? [y]es [n]o [l]ater ", ["y", "n", "l"]);
    if (key === "y") await this.start(pending_run.run_until, true);
    else if (key === "n") await project.rejectRun(null);
  }

  private async command(line: string): Promise<void> {
    const [name = "", ...words] = line.split(/\s+/);
    const { project, dirFlag } = this.session;
    const [word = ""] = words;
    switch (name) {
      case "/approve":
        if (word === "run") return this.start(project.approvableRun().run_until, true);
        await project.approvePatch(word, null);
        return this.askForRun();
      case "/reject":
        await (word === "run" ? project.rejectRun(null) : project.rejectPatch(word, null));
        break;
      case "/set":
        await this.set(word, line.slice(line.indexOf(word) + word.length).trim());
        break;
      case "/run":
        return this.start(word === "" ? FULL : word, false);
      case "/undo":
        await project.undo(null);
        break;
      case "/show":
        return this.showSpec(word);
      case "/patches":
        for (const id of project.reader.patchIds())
          this.say(
            `${id}  ${project.reader.patch(id).status}  ${project.reader.patch(id).explanation.split("\n")[0]}`,
          );
        return undefined;
      case "/runs":
        for (const id of project.reader.runIds().slice(-5))
          this.say(runText(project.reader.run(id), project, this.style));
        return undefined;
      case "/state":
        break;
      case "/help":
        return this.say(HELP);
      default:
        throw new AtomsmithError("usage", `${name} is not a command`, { hint: "/help lists them" });
    }
    this.say(stateText(project.state, this.style, dirFlag));
  }

  private async askForRun(): Promise<void> {
    const { state } = this.session.project;
    this.say(stateText(state, this.style, this.session.dirFlag));
    if (state.state === "WAITING_RUN_APPROVAL") await this.askForDecisions();
  }

  /** Sets a value, existing or new. */
  private async set(pointer: string, text: string): Promise<void> {
    if (pointer === "" || text === "") throw new AtomsmithError("usage", "usage: /set POINTER VALUE");
    const { project } = this.session;
    const patch = await project.patch(
      [{ op: setOp(project.reader.latestVersion().spec, pointer), path: pointer, value: parseValue(text) }],
      `/set ${pointer}`,
      null,
    );
    this.say(`applied patch ${patch.patch_id}`);
  }

  private async start(until: string, approved: boolean): Promise<void> {
    const { project } = this.session;
    const run = await this.withProgress(() => executeRun(project, until, { approved, reason: null }));
    this.say(runText(run, project, this.style));
  }

  private showSpec(pointer: string): void {
    const value = valueAt(this.session.project.reader.latestVersion().spec, pointer);
    if (value === undefined) throw new AtomsmithError("usage", `the spec has no value at ${pointer}`);
    this.say(JSON.stringify(value, null, 2));
  }

  private async withProgress<T>(work: () => Promise<T>): Promise<T> {
    const { bus, output, io } = this.session.context;
    const end = attachProgress(bus, output, io);
    try {
      return await work();
    } finally {
      end();
    }
  }

  private say(text: string): void {
    this.session.context.output.warn(text);
  }
}

/** `replace` for an element of an array, where `add` would insert. */
function setOp(spec: JsonValue, pointer: string): "add" | "replace" {
  const parent = valueAt(spec, pointer.slice(0, pointer.lastIndexOf("/")));
  return Array.isArray(parent) && valueAt(spec, pointer) !== undefined ? "replace" : "add";
}

/** Parses JSON; other text is a string. */
function parseValue(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}

/** Completes commands at the start of a line, and pointers and ids after them. */
function completionsOf({ project }: Session): Completions {
  return {
    of: (before) => {
      if (!before.startsWith("/")) return { start: 0, words: [] };
      const start = before.lastIndexOf(" ") + 1;
      const typed = before.slice(start);
      return {
        start,
        words: wordsFor(start, before, project.dir, project.pipeline.stages).filter((word) =>
          word.startsWith(typed),
        ),
      };
    },
  };
}

function wordsFor(start: number, before: string, dir: string, stages: readonly { name: string }[]): string[] {
  if (start === 0) return COMMANDS;
  const [command] = before.split(" ");
  const reader = new ProjectReader(dir);
  if (command === "/run") return [...stages.map(({ name }) => name), FULL];
  if (command === "/approve" || command === "/reject") {
    const { pending_patch_ids, pending_run } = reader.state;
    return [...pending_patch_ids, ...(pending_run === null ? [] : ["run"])];
  }
  if (command !== "/set" && command !== "/show") return [];
  return pointersAt(reader.latestVersion().spec, before.slice(start));
}

/** Pointers to the members of the value at the typed pointer. */
function pointersAt(spec: JsonValue, typed: string): string[] {
  const parent = typed.slice(0, Math.max(0, typed.lastIndexOf("/")));
  const value = valueAt(spec, parent);
  if (Array.isArray(value)) return value.map((_, index) => `${parent}/${index}`);
  if (!isJsonObject(value)) return [];
  return Object.keys(value).map((key) => `${parent}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}
