// The ways on for a person, each with the exact command.
import { relative } from "node:path";
import type { WayOn } from "../../report/intervention.ts";
import { observedFiles } from "./evidence.ts";
import { readQuota } from "./prepare.ts";
import type { ItemServices } from "./services.ts";
import type { ItemState } from "./state.ts";

/** Best first: answer, edit the page, edit the atoms, raise the limit that was met. */
export function waysOn(state: ItemState, services: ItemServices, hasAttempt: boolean): WayOn[] {
  const flags = services.commandFlags.map(quote).join(" ");
  const rest = flags === "" ? "" : ` ${flags}`;
  const resume = `atomsmith resume ${state.item_id}`;
  const attempt = shorter(`${services.output.dir}/attempt`);
  const ways: WayOn[] = [
    {
      title: "Answer the question",
      note: "the answer goes to the author, which continues with what it already knows",
      commands: [`${resume} --hint ${quote("your answer in a sentence or two")}${rest}`],
    },
    {
      title: "Show a worked example",
      note: "log lines, a line `---`, then `value: …` and the fields, or `none`; it is proved to the letter",
      commands: [`${resume} --example example.md${rest}`],
    },
    {
      title: "Edit the page",
      note: "a changed page starts the item from the beginning",
      commands: [
        `$EDITOR ${quote(shorter(state.item_spec_path))}`,
        `atomsmith generate ${quote(shorter(state.item_spec_path))}${rest}`,
      ],
    },
    {
      title: hasAttempt ? "Edit the atoms" : "Write the atoms yourself",
      note: `${hasAttempt ? "your edits" : "put atom_a.js, atom_b.js, atom_c.js and config.yaml there; they"} go through all gates and are accepted only if these pass`,
      commands: [
        hasAttempt ? `$EDITOR ${quote(`${attempt}/atom_a.js`)}` : `mkdir -p ${quote(attempt)}`,
        `${resume} --accept-edits${rest}`,
      ],
    },
  ];
  if (observedFiles(state).length === 0) {
    // Nothing was read: most often the logs are not there yet, or somewhere else.
    ways.splice(1, 0, {
      title: "Bring the logs",
      note: `put them below ${state.search_root}, or name the folder where they are with --search-root`,
      commands: [`atomsmith generate ${quote(shorter(state.item_spec_path))}${rest}`],
    });
  }
  const { execution, tool_constraints: tools } = services.config;
  if (state.human_reason === "iterations") {
    ways.push({
      title: "Raise the limit of attempts",
      commands: [`${resume} -c execution.max_iterations=${execution.max_iterations * 2}${rest}`],
    });
  }
  const used = state.tool_quota === null ? 0 : readQuota(state.tool_quota).bytes_used;
  if (used > tools.max_total_read_bytes * 0.9) {
    ways.push({
      title: "Raise the reading quota",
      note: `${used} of ${tools.max_total_read_bytes} bytes are used`,
      commands: [
        `${resume} -c tool_constraints.max_total_read_bytes=${tools.max_total_read_bytes * 4}${rest}`,
      ],
    });
  }
  return ways;
}

/** Relative to the current folder where that is shorter to read. */
function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") || near === "" ? path : near;
}

/** One word of a POSIX shell. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
