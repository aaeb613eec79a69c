// Shared by the commands of a fleet: the flag `--queue` and its connection.
import { AtomsmithError } from "../core/errors.ts";
import type { Queue } from "../queue/index.ts";
import type { Args } from "./command.ts";
import type { CommandContext } from "./context.ts";
import { QUEUE_VARIABLE } from "./secrets.ts";

export const QUEUE_ARG = {
  queue: {
    type: "string",
    valueHint: "URL",
    description:
      "PostgreSQL URL of the fleet, postgres://USER@HOST/DATABASE; the password may also be set in PGPASSWORD",
  },
} as const satisfies Args;

/** `--queue` of commands that require a queue. */
export const QUEUE_NEEDED_ARG = {
  queue: { ...QUEUE_ARG.queue, defaultHint: `environment variable ${QUEUE_VARIABLE}` },
} as const satisfies Args;

export interface QueueUse {
  connections?: number;
  supervise?: boolean;
  /** Time to wait for a server that does not answer yet, milliseconds. */
  connectMs?: number;
}

/** Opens the queue of the flag or, with `needed`, of the environment; closed with the command. Throws kind `usage` if
 * neither is set. */
export async function openQueue(
  context: CommandContext,
  given: string | undefined,
  use: QueueUse = {},
): Promise<Queue> {
  const url = given ?? context.env[QUEUE_VARIABLE];
  if (url === undefined || url === "") {
    throw new AtomsmithError("usage", "no queue given", {
      hint: `set --queue URL or ${QUEUE_VARIABLE}`,
    });
  }
  const { Queue } = await import("../queue/index.ts");
  const queue = await Queue.open(url, {
    application: "atomsmith",
    connections: use.connections ?? 6,
    supervise: use.supervise ?? false,
    ...(use.connectMs === undefined ? {} : { connectMs: use.connectMs }),
    maxAttempts: context.config.queue.max_attempts,
    warn: (message) => context.emit({ type: "log", level: "warning", message }),
  });
  context.onCleanup(() => queue.close());
  return queue;
}
