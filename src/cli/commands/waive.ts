// `waive`: edits the waivers of an accepted set. Shows the effect on the logs before it writes.
import { userInfo } from "node:os";
import { relative } from "node:path";
import type { GivenWaiver } from "../../contract/manifest.ts";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { PathGuard } from "../../files/guard.ts";
import {
  planWaiver,
  readWaiverSet,
  type WaiverChange,
  type WaiverPlan,
  writeWaiver,
} from "../../loops/item/waive.ts";
import { entryText, oneLine, placeOf } from "../../report/index.ts";
import { type CheckOptions, type CheckServices, LogPool } from "../../runtime/index.ts";
import { dayOf, isDay } from "../../runtime/waiver-days.ts";
import { openCheck } from "../check-run.ts";
import { type ArgValues, COMMON_ARGS, type CommandGroup, defineCommand } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { setFolderOf } from "../item-target.ts";
import type { Style } from "../style.ts";

const MIB = 2 ** 20;
/** Most records in the text; the JSON document has all. */
const SHOWN = 10;

const ITEM = {
  type: "positional",
  valueHint: "ITEM",
  required: true,
  description: "id of the item, folder of its set, or its page",
} as const;
const PATTERN = {
  type: "positional",
  valueHint: "PATTERN",
  required: true,
  description: "full text of the violation; alternatives separated by |, wildcards, or regex:…",
} as const;
const PLACES = { "search-root": COMMON_ARGS["search-root"], out: COMMON_ARGS.out } as const;
const DRY_RUN = { type: "boolean", description: "show the effect without writing" } as const;

const ADD_ARGS = {
  item: ITEM,
  pattern: PATTERN,
  reason: {
    type: "string",
    valueHint: "TEXT",
    required: true,
    description: "reason for the waiver, stored verbatim",
  },
  until: { type: "string", valueHint: "DATE", description: "last day of the waiver, YYYY-MM-DD" },
  "dry-run": DRY_RUN,
  ...PLACES,
} as const;
const REMOVE_ARGS = { item: ITEM, pattern: PATTERN, "dry-run": DRY_RUN, ...PLACES } as const;

const EXITS = {
  0: "written",
  2: "wrong usage",
  3: "a config gate rejected the change",
  6: "the sandbox is not available",
};

const addCommand = defineCommand({
  name: "add",
  summary: "waive violations of an accepted item",
  details:
    "Runs the item on its logs with and without the waiver and shows the waived violations and both verdicts. " +
    "Then runs the config gates and writes the waiver with its author and date. The atoms " +
    "are not changed, and no model is called. After its last day, a waiver is a violation again.",
  args: ADD_ARGS,
  examples: [
    {
      command:
        'atomsmith waive add DRC-04 "m1.6" --reason "approved by layout, ticket 4711" --until 2026-12-31',
      does: "waive a violation until the end of the year",
    },
    {
      command: 'atomsmith waive add SYN-06 "*dbg_bus*" --reason "debug port, not bonded" --dry-run',
      does: "show the effect without writing",
    },
  ],
  exits: EXITS,
  run: async (args, context) => {
    if (args.until !== undefined && !isDay(args.until)) {
      throw new AtomsmithError("usage", `--until ${args.until} is not a date`, {
        hint: "use the format YYYY-MM-DD",
      });
    }
    if (args.until !== undefined && args.until < dayOf(new Date())) {
      throw new AtomsmithError("usage", `--until ${args.until} is in the past`, {
        hint: "use today or a later date",
      });
    }
    for (const [name, text] of [
      ["PATTERN", args.pattern],
      ["--reason", args.reason],
    ] as const) {
      if (text.trim() === "") throw new AtomsmithError("usage", `${name} must not be empty`);
    }
    const waiver = {
      pattern: args.pattern,
      reason: args.reason,
      until: args.until ?? null,
      by: person(context),
      at: new Date().toISOString(),
    };
    return change(args, { add: waiver }, context);
  },
});

const removeCommand = defineCommand({
  name: "remove",
  summary: "remove a waiver",
  args: REMOVE_ARGS,
  examples: [
    { command: 'atomsmith waive remove DRC-04 "m1.6"', does: "make the waived violations count again" },
  ],
  exits: EXITS,
  run: (args, context) => change(args, { remove: args.pattern }, context),
});

const listCommand = defineCommand({
  name: "list",
  summary: "list the waivers of an item with author and date",
  args: { item: ITEM, out: COMMON_ARGS.out },
  examples: [
    { command: "atomsmith waive list DRC-04", does: "list pattern, reason, last day, author and date" },
  ],
  run: async (args, context) => {
    const set = await readWaiverSet(setFolderOf(args.item, context));
    const given = new Map((set.manifest.waivers ?? []).map((waiver) => [waiver.pattern, waiver]));
    const today = dayOf(new Date());
    const waivers = set.waivers.map((waiver) => ({
      ...waiver,
      ended: waiver.until !== null && waiver.until < today,
      by: given.get(waiver.pattern)?.by ?? null,
      at: given.get(waiver.pattern)?.at ?? null,
    }));
    context.output.result({ item_id: set.itemId, dir: set.dir, waivers }, (style) => {
      if (waivers.length === 0) return `${set.itemId} has no waivers`;
      const rows = waivers.map((waiver) => [
        oneLine(waiver.pattern),
        waiver.ended ? style.yellow(`expired ${waiver.until}`) : (waiver.until ?? "no expiry"),
        waiver.by ?? "the page",
        waiver.at?.slice(0, 10) ?? "",
        oneLine(waiver.reason),
      ]);
      return context.output.table(["PATTERN", "UNTIL", "BY", "ON", "REASON"], rows);
    });
    return EXIT.ok;
  },
});

const ADD_ENTRY = { name: "add", summary: addCommand.summary, load: async () => addCommand };
export const waiveGroup: CommandGroup = {
  kind: "group",
  name: "waive",
  summary: "add, list and remove waivers of an accepted item",
  details:
    "atomsmith waive ITEM PATTERN --reason TEXT is short for: atomsmith waive add ITEM PATTERN --reason TEXT",
  commands: [
    ADD_ENTRY,
    { name: "list", summary: listCommand.summary, load: async () => listCommand },
    { name: "remove", summary: removeCommand.summary, load: async () => removeCommand },
  ],
  fallback: ADD_ENTRY,
};

type ChangeArgs = ArgValues<typeof REMOVE_ARGS>;

async function change(args: ChangeArgs, what: WaiverChange, context: CommandContext): Promise<ExitCode> {
  const set = await readWaiverSet(setFolderOf(args.item, context));
  const { options, services, root } = await openWaiverCheck(context);
  const plan = await planWaiver(set, what, context.config.paths.item_specs_dir, options, services);
  const written = !args["dry-run"] && plan.errors.length === 0;
  if (written) await writeWaiver(plan);
  const document = {
    item_id: set.itemId,
    written,
    ...("add" in what ? { waiver: what.add } : { removed: what.remove }),
    before: plan.before,
    after: plan.after,
    records: plan.records,
    matches_nothing: plan.unmatched,
    errors: plan.errors,
  };
  context.output.result(document, (style) => text(plan, what, written, { style, root, context }));
  return plan.errors.length > 0 ? EXIT.human : EXIT.ok;
}

interface Shown {
  style: Style;
  root: string;
  context: CommandContext;
}

function text(
  plan: WaiverPlan,
  what: WaiverChange,
  written: boolean,
  { style, root, context }: Shown,
): string {
  const adds = "add" in what;
  const pattern = oneLine(adds ? what.add.pattern : what.remove);
  const paint = { pass: style.green, fail: style.red, error: style.yellow } as const;
  const word = (outcome: WaiverPlan["before"]): string => paint[outcome](outcome.toUpperCase());
  const lines = [
    `${style.bold(plan.set.itemId)}  ${word(plan.before)} -> ${word(plan.after)}  ${adds ? "with the waiver" : "without the waiver"} \u201c${pattern}\u201d`,
    ...plan.records.slice(0, SHOWN).map((record) => {
      const place = placeOf(record, root);
      return `  ${place === "" ? "missing" : place}  ${oneLine(entryText(record))}`;
    }),
  ];
  if (plan.records.length > SHOWN) lines.push(`  … ${plan.records.length - SHOWN} more`);
  if (plan.diagnosis !== null) lines.push(`  error: ${oneLine(plan.diagnosis)}`);
  if (plan.unmatched)
    lines.push(
      style.yellow(
        `  warning: the waiver matches no violation in these logs (it must match the full text, including case)`,
      ),
    );
  for (const { code, message } of plan.errors)
    lines.push(`  ${style.red("rejected")} [${code}] ${oneLine(message)}`);
  const file = relative(context.cwd, `${plan.set.dir}/config.yaml`);
  lines.push(
    plan.errors.length > 0 || !written
      ? "nothing was written"
      : `wrote ${file}${adds ? signed(what.add) : ""}`,
  );
  return lines.join("\n");
}

function signed({ by, until }: GivenWaiver): string {
  return ` (by ${oneLine(by)}${until === null ? "" : `, until ${until}`})`;
}

/** Author of the waiver: the session's user name. Informational only, not authenticated. */
function person(context: CommandContext): string {
  const { env } = context;
  const named = env["LOGNAME"] ?? env["USER"] ?? env["USERNAME"];
  if (named !== undefined && named !== "") return named;
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

async function openWaiverCheck(
  context: CommandContext,
): Promise<{ options: CheckOptions; services: CheckServices; root: string }> {
  const { config, signal } = context;
  const guard = new PathGuard(config.paths.search_root);
  const pool = new LogPool({ maxTextBytes: config.check.max_text_mb * MIB, signal });
  const { settings, services } = await openCheck(context, guard, pool);
  const options = { ...settings, overrides: [], unverified: false, outdated: true };
  return { options, services, root: guard.root };
}
