// Next steps for the user, each with the exact command.
import { relative } from "node:path";
import { quote, shellFlags } from "../../core/shell.ts";
import type { NextStep } from "../../report/intervention-facts.ts";
import { observedFiles } from "./evidence.ts";
import { readToolsSnapshot } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** The command that answers with a block of the report as it stands, but for its number. */
export function chooseCommand(state: ItemState, services: ItemServices): string {
  return `atomsmith resume ${state.item_id}${shellFlags(services.commandFlags)} --choose `;
}

/** Best first: answer, edit the page, edit the atoms, raise the limit that was met. */
export function nextSteps(state: ItemState, services: ItemServices, hasAttempt: boolean): NextStep[] {
  const rest = shellFlags(services.commandFlags);
  const resume = `atomsmith resume ${state.item_id}`;
  const attempt = shorter(services.output.attemptDir);
  const page = quote(shorter(state.item_spec_path));
  const generate = `atomsmith generate ${page}${rest}`;
  const hint: NextStep = {
    title: "Answer in words",
    note: "type a sentence or two, then Ctrl-D; the model continues with what it already knows",
    commands: [`${resume} --hint -${rest}`],
  };
  const example: NextStep = {
    title: "Show a worked example",
    note: "type log lines, a line `---`, then `value: …` and the fields, or `none`, then Ctrl-D (or name a file in place of `-`); it is proved to the letter",
    commands: [`${resume} --example -${rest}`],
  };
  const label: NextStep = {
    title: "Mark lines of the logs",
    note: "you see at once what would be extracted, and the page gets the examples",
    commands: [`atomsmith label ${page}${shellFlags(services.commandFlags, LABEL_FLAGS)}`, generate],
  };
  const writeCheck: NextStep = {
    title: "Write the check",
    note: "the one shown above goes into section 2 of the page; correct it there",
    commands: [`atomsmith label ${page} --check${shellFlags(services.commandFlags, LABEL_FLAGS)}`, generate],
  };
  const answer: NextStep = {
    title: "Hand the block in",
    note: "paste the check block, corrected and with its fences, then Ctrl-D (or name a file in place of `-`)",
    commands: [`${resume} --example -${rest}`],
  };
  const edit: NextStep = {
    title: "Edit the page",
    note: "a changed page starts the item from the beginning",
    commands: [`${EDITOR} ${page}`, generate],
  };
  const asksForCheck = state.given_up?.blocks.some(({ kind }) => kind === "check") ?? false;
  const ways: NextStep[] = [
    ...(services.author.name === "offline" ? [] : [hint]),
    ...(asksForCheck ? [writeCheck, edit, answer] : [label, example, edit]),
    {
      title: hasAttempt ? "Edit the atoms" : "Write the atoms yourself",
      note: `${hasAttempt ? "your edits" : "write atom_a.js; the other files are made for you; they"} go through all gates and are accepted only if these pass`,
      commands: [
        ...(hasAttempt ? [] : [`${resume} --new-attempt${rest}`]),
        `${EDITOR} ${quote(`${attempt}/atom_a.js`)}`,
        `${resume} --accept-edits${rest}`,
      ],
    },
  ];
  if (observedFiles(state).length === 0) {
    // Nothing was read: most often the logs are not there yet, or somewhere else.
    ways.splice(state.given_up?.lines.length ? 0 : 1, 0, {
      title: "Bring the logs",
      note: `put them below ${state.search_root}, or name the folder where they are with --search-root`,
      commands: [generate],
    });
  }
  const { execution, tool_constraints: tools } = services.config;
  if (state.human_reason === "iterations") {
    ways.push({
      title: "Raise the limit of attempts",
      commands: [`${resume}${rest} -c execution.max_iterations=${execution.max_iterations * 2}`],
    });
  }
  const used = state.tool_quota === null ? 0 : readToolsSnapshot(state.tool_quota).bytes_used;
  if (used > tools.max_total_read_bytes * 0.9) {
    ways.push({
      title: "Raise the reading quota",
      note: `${used} of ${tools.max_total_read_bytes} bytes are used`,
      commands: [
        `${resume}${rest} -c tool_constraints.max_total_read_bytes=${tools.max_total_read_bytes * 4}`,
      ],
    });
  }
  return ways;
}

/** The editor of the shell that runs the command; without one, the editor that every POSIX system has. */
const EDITOR = "${EDITOR:-vi}";

/** Flags of `label` among those that every command about an item gets. */
const LABEL_FLAGS = ["--config", "--search-root", "--out", "--cache", "-c"];

/** Relative to the current folder where that is shorter to read. */
function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") || near === "" ? path : near;
}
