// `show ITEM_ID`: the conversation with the model as a person would read it.
import { stat } from "node:fs/promises";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { gateRoundSchema, transcript, usageByRole } from "../../llm/transcript.ts";
import { agentTurnSchema } from "../../llm/turns.ts";
import { ItemReader, listItems } from "../../loops/item/item-store.ts";
import { readLines } from "../../store/append-log.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import { itemIdFor } from "../item-target.ts";

/** Bytes of one message that are shown without --full. */
const SHORT_MESSAGE = 1500;

export const showCommand = defineCommand({
  name: "show",
  summary: "read an item's conversation with the model: prompts, tool calls, replies, gates, cost",
  details:
    "Shows what stands in the item's agent_turns.jsonl. Long messages are cut; --full shows all of them. Secrets were " +
    "masked before anything was stored. With --json the turns come as they are stored.",
  args: {
    cache: COMMON_ARGS.cache,
    item: { type: "positional", valueHint: "ITEM_ID", required: true, description: "which item" },
    full: { type: "boolean", description: "show every message whole" },
  },
  examples: [
    { command: "atomsmith show STA-03", does: "what was asked and answered" },
    { command: "atomsmith show STA-03 --full", does: "the same, nothing cut" },
  ],
  run: async ({ item: word, full }, context) => {
    const item = itemIdFor(word, context);
    const cacheDir = context.config.paths.cache_dir;
    const store = new ItemReader(cacheDir, item);
    if (!(await stat(store.dir).catch(() => undefined))?.isDirectory()) {
      const known = await listItems(cacheDir).catch(() => []);
      throw new AtomsmithError(
        "usage",
        `nothing is stored for item ${item} in ${cacheDir}${didYouMean(item, known)}`,
        {
          hint:
            known.length === 0 ? "no item is stored there" : `stored items: ${known.slice(0, 20).join(", ")}`,
        },
      );
    }
    const { values, damaged } = await readLines(store.turnsPath);
    const turns = values.flatMap((line) => {
      const parsed = agentTurnSchema.safeParse(line);
      return parsed.success ? [parsed.data] : [];
    });
    const unread = damaged.length + values.length - turns.length;
    if (unread > 0) context.output.note(`${unread} lines of ${store.turnsPath} could not be read`);
    const rounds = (await store.loadErrorLogs()).flatMap(({ iteration, value }) => {
      const parsed = gateRoundSchema.safeParse(value);
      return parsed.success ? [{ iteration, errors: parsed.data.errors }] : [];
    });
    const document = { item_id: item, turns, gates: rounds, usage: usageByRole(turns) };
    context.output.result(document, (style) =>
      turns.length === 0
        ? `item ${item} has no conversation: no model was asked (the offline author needs none)`
        : transcript(turns, rounds, { messageBytes: full ? undefined : SHORT_MESSAGE, paint: style }),
    );
    return EXIT.ok;
  },
});
