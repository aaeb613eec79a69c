// `show ITEM_ID`: prints the conversation with the model.
import { stat } from "node:fs/promises";
import { AtomsmithError, EXIT } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { count } from "../../core/words.ts";
import { gateRoundSchema, transcript, usageByRole } from "../../llm/transcript.ts";
import { agentTurnSchema } from "../../llm/turns.ts";
import { ItemReader, listItems } from "../../loops/item/item-store.ts";
import { readLines } from "../../store/append-log.ts";
import { COMMON_ARGS, defineCommand } from "../command.ts";
import { itemIdFor } from "../item-target.ts";

/** Bytes of one message without --full. */
const SHORT_MESSAGE = 1500;

export const showCommand = defineCommand({
  name: "show",
  summary: "show an item's conversation with the model: prompts, tool calls, replies, gates, cost",
  details:
    "Prints agent_turns.jsonl of the item. Long messages are truncated unless --full is given. Secrets were " +
    "masked before the turns were stored. With --json, prints the turns as stored.",
  args: {
    cache: COMMON_ARGS.cache,
    item: { type: "positional", valueHint: "ITEM_ID", required: true, description: "id of the item" },
    full: { type: "boolean", description: "do not truncate messages" },
  },
  examples: [
    { command: "atomsmith show STA-03", does: "show the conversation of an item" },
    { command: "atomsmith show STA-03 --full", does: "show it in full" },
  ],
  run: async ({ item: word, full }, context) => {
    const item = itemIdFor(word, context);
    const cacheDir = context.config.paths.cache_dir;
    const store = new ItemReader(cacheDir, item);
    if (!(await stat(store.dir).catch(() => undefined))?.isDirectory()) {
      const known = await listItems(cacheDir).catch(() => []);
      throw new AtomsmithError(
        "usage",
        `no stored data of ${item} in ${cacheDir}${didYouMean(item, known)}`,
        {
          hint:
            known.length === 0
              ? "no items are stored there"
              : `stored items: ${known.slice(0, 20).join(", ")}`,
        },
      );
    }
    const { values, damaged } = await readLines(store.turnsPath);
    const turns = values.flatMap((line) => {
      const parsed = agentTurnSchema.safeParse(line);
      return parsed.success ? [parsed.data] : [];
    });
    const unread = damaged.length + values.length - turns.length;
    if (unread > 0) context.output.note(`${count(unread, "line")} of ${store.turnsPath} could not be read`);
    const rounds = (await store.loadErrorLogs()).flatMap(({ iteration, value }) => {
      const parsed = gateRoundSchema.safeParse(value);
      return parsed.success ? [{ iteration, errors: parsed.data.errors }] : [];
    });
    const document = { item_id: item, turns, gates: rounds, usage: usageByRole(turns) };
    context.output.result(document, (style) =>
      turns.length === 0
        ? `${item} has no conversation: no model was called (the offline author works without one)`
        : transcript(turns, rounds, { messageBytes: full ? undefined : SHORT_MESSAGE, paint: style }),
    );
    return EXIT.ok;
  },
});
