// Next steps for the user, each with the exact command.
import { relative } from "node:path";
import { quote, shellFlags } from "../../core/shell.ts";
import type { NextStep } from "../../report/intervention-facts.ts";
import { observedFiles } from "./evidence.ts";
import { readToolsSnapshot } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** The command that accepts a block of the report unchanged, without its number. */
export function chooseCommand(state: ItemState, services: ItemServices): string {
  return `atomsmith resume ${state.item_id}${shellFlags(services.commandFlags)} --choose `;
}

/** Next steps, best first: answer, edit the page, edit the atoms, raise the limit that was reached. */
export function nextSteps(state: ItemState, services: ItemServices, hasAttempt: boolean): NextStep[] {
  const flags = shellFlags(services.commandFlags);
  const resume = `atomsmith resume ${state.item_id}`;
  const attempt = displayPath(services.output.attemptDir);
  const page = quote(displayPath(state.item_spec_path));
  const generate = `atomsmith generate ${page}${flags}`;
  const hint: NextStep = {
    title: "Answer in words",
    note: "type a sentence or two, then Ctrl-D; the model continues with what it already knows",
    commands: [`${resume} --hint -${flags}`],
  };
  const example: NextStep = {
    title: "Show a worked example",
    note: "type log lines, a line `---`, then `value: …` and the fields, or `none`, then Ctrl-D (or name a file in place of `-`); it must be extracted exactly",
    commands: [`${resume} --example -${flags}`],
  };
  const label: NextStep = {
    title: "Mark lines of the logs",
    note: "shows the extracted records at once, and adds the examples to the page",
    commands: [`atomsmith label ${page}${shellFlags(services.commandFlags, LABEL_FLAGS)}`, generate],
  };
  const writeCheck: NextStep = {
    title: "Write the check",
    note: "the one shown above goes into section 2 of the page; correct it there",
    commands: [`atomsmith label ${page} --check${shellFlags(services.commandFlags, LABEL_FLAGS)}`, generate],
  };
  const answer: NextStep = {
    title: "Submit the block",
    note: "paste the check block, corrected and with its fences, then Ctrl-D (or name a file in place of `-`)",
    commands: [`${resume} --example -${flags}`],
  };
  const edit: NextStep = {
    title: "Edit the page",
    note: "a changed page starts the item from the beginning",
    commands: [`${EDITOR} ${page}`, generate],
  };
  const asksForCheck = state.given_up?.blocks.some(({ kind }) => kind === "check") ?? false;
  const steps: NextStep[] = [
    ...(services.author.name === "offline" ? [] : [hint]),
    ...(asksForCheck ? [writeCheck, edit, answer] : [label, example, edit]),
    {
      title: hasAttempt ? "Edit the atoms" : "Write the atoms yourself",
      note: `${hasAttempt ? "your edits" : "write atom_a.js; the other files are created for you; they"} are accepted only if all gates pass`,
      commands: [
        ...(hasAttempt ? [] : [`${resume} --new-attempt${flags}`]),
        `${EDITOR} ${quote(`${attempt}/atom_a.js`)}`,
        `${resume} --accept-edits${flags}`,
      ],
    },
  ];
  if (observedFiles(state).length === 0) {
    // Most often the logs do not exist yet, or are in another folder.
    steps.splice(state.given_up?.lines.length ? 0 : 1, 0, {
      title: "Add the logs",
      note: `put them below ${state.search_root}, or name their folder with --search-root`,
      commands: [generate],
    });
  }
  const { execution, tool_constraints: tools } = services.config;
  if (state.human_reason === "iterations") {
    steps.push({
      title: "Raise the limit of attempts",
      commands: [`${resume}${flags} -c execution.max_iterations=${execution.max_iterations * 2}`],
    });
  }
  const used = state.tool_quota === null ? 0 : readToolsSnapshot(state.tool_quota).bytes_used;
  if (used > tools.max_total_read_bytes * 0.9) {
    steps.push({
      title: "Raise the reading quota",
      note: `used ${used} of ${tools.max_total_read_bytes} bytes`,
      commands: [
        `${resume}${flags} -c tool_constraints.max_total_read_bytes=${tools.max_total_read_bytes * 4}`,
      ],
    });
  }
  return steps;
}

/** The editor configured in the user's shell, or `vi`, which every POSIX system has. */
const EDITOR = "${EDITOR:-vi}";

/** The item flags that `label` accepts. */
const LABEL_FLAGS = ["--config", "--search-root", "--out", "--cache", "-c"];

/** The path relative to the current folder, if it is below it. */
function displayPath(path: string): string {
  const relativePath = relative(process.cwd(), path);
  return relativePath.startsWith("..") || relativePath === "" ? path : relativePath;
}
