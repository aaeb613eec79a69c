// What the commands of a fleet share: the flag `--queue`, and the connection behind it.
import { AtomsmithError } from "../core/errors.ts";
import type { Queue } from "../queue/index.ts";
import type { Args } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { QUEUE_VARIABLE } from "./secrets.ts";

export const QUEUE_ARG = {
  queue: {
    type: "string",
    valueHint: "URL",
    description: "PostgreSQL of the fleet, postgres://USER@HOST/DATABASE; password also by PGPASSWORD",
  },
} as const satisfies Args;

/** Of commands that are about the queue itself. */
export const QUEUE_NEEDED_ARG = {
  queue: { ...QUEUE_ARG.queue, defaultHint: `environment variable ${QUEUE_VARIABLE}` },
} as const satisfies Args;

export interface QueueUse {
  connections?: number;
  supervise?: boolean;
}

/** Opens the queue of the flag or, with `needed`, of the environment; closed with the command. Throws kind `usage` when
 * neither is set. */
export async function openQueue(
  context: CommandContext,
  given: string | undefined,
  use: QueueUse = {},
): Promise<Queue> {
  const url = given ?? context.env[QUEUE_VARIABLE];
  if (url === undefined || url === "") {
    throw new AtomsmithError("usage", "which queue?", {
      hint: `give one with --queue URL or in ${QUEUE_VARIABLE}`,
    });
  }
  const { Queue } = await import("../queue/index.ts");
  const queue = await Queue.open(url, {
    application: "atomsmith",
    connections: use.connections ?? 6,
    supervise: use.supervise ?? false,
    maxAttempts: context.config.queue.max_attempts,
    warn: (message) => context.emit({ type: "log", level: "warning", message }),
  });
  context.onCleanup(() => queue.close());
  return queue;
}
