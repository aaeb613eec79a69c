// Prints `log` events to stderr through consola, and to `logging.log_file` if it is set.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { createConsola, type LogObject } from "consola/core";
import type { Config } from "../config/schema.ts";
import { AtomsmithError, toAtomsmithError } from "../core/errors.ts";
import type { EventBus } from "../core/event-bus.ts";
import type { Redact } from "../core/redact/index.ts";
import type { AnyEvent } from "../loops/events.ts";
import type { Output } from "./output.ts";

const LEVELS = { ERROR: 0, WARNING: 1, INFO: 3, DEBUG: 4 } as const;
const EVENT_LEVEL = { error: "ERROR", warning: "WARNING", info: "INFO", debug: "DEBUG" } as const;

export interface Log {
  /** Closes the log; returns the first write error, so that an incomplete log is reported. */
  close(): AtomsmithError | undefined;
}

/** Subscribes the log to the bus. Throws kind `store` when the log file cannot be opened. */
export function attachLog(bus: EventBus, output: Output, logging: Config["logging"]): Log {
  const level = output.quiet ? LEVELS.WARNING : LEVELS[logging.level];
  const consola = createConsola({ level, reporters: [{ log: (entry) => output.warn(line(entry, output)) }] });
  const file =
    logging.log_file === undefined ? undefined : new LogFile(logging.log_file, (text) => output.stored(text));
  const stop = bus.subscribe<AnyEvent>((event) => {
    if (event.type === "log") {
      const text = event.subject === null ? event.message : `${event.subject}: ${event.message}`;
      if (event.level === "error") consola.error(text);
      else if (event.level === "warning") consola.warn(text);
      else if (event.level === "info") consola.info(text);
      else consola.debug(text);
    }
    file?.write(event, LEVELS[logging.level], logging.log_llm_calls);
  });
  return {
    close: () => {
      stop();
      return file?.close();
    },
  };
}

function line(entry: LogObject, output: Output): string {
  const style = output.errorStyle;
  const text = entry.args.map(String).join(" ");
  if (entry.type === "error") return `${style.red("error:")} ${text}`;
  if (entry.type === "warn") return `${style.yellow("warning:")} ${text}`;
  return entry.type === "debug" ? style.dim(text) : text;
}

class LogFile {
  private readonly fd: number;
  private readonly path: string;
  private readonly mask: Redact;
  private problem: AtomsmithError | undefined;

  constructor(path: string, mask: Redact) {
    this.path = path;
    this.mask = mask;
    try {
      mkdirSync(dirname(path), { recursive: true });
      this.fd = openSync(path, "a");
    } catch (error) {
      throw this.wrap(error);
    }
  }

  write(event: AnyEvent, level: number, modelCalls: boolean): void {
    const text = describe(event, level, modelCalls);
    if (text === undefined || this.problem) return;
    try {
      writeSync(this.fd, this.mask(`${event.at} ${text}\n`));
    } catch (error) {
      this.problem = this.wrap(error);
    }
  }

  close(): AtomsmithError | undefined {
    closeSync(this.fd);
    return this.problem;
  }

  private wrap(error: unknown): AtomsmithError {
    const reason = toAtomsmithError(error).message;
    return new AtomsmithError("store", `cannot write the log file ${this.path}: ${reason}`, {
      where: this.path,
      hint: "free disk space or change logging.log_file",
      cause: error,
    });
  }
}

/** A line of the log file, or undefined for events that are not logged. */
function describe(event: AnyEvent, level: number, modelCalls: boolean): string | undefined {
  if (event.type === "log") {
    if (LEVELS[EVENT_LEVEL[event.level]] > level) return undefined;
    return `${EVENT_LEVEL[event.level]} ${event.subject ?? "-"} ${event.message}`;
  }
  if (event.type === "model_delta" || event.type === "progress") return undefined;
  if (event.type === "model_call_started" || event.type === "model_call_finished") {
    if (!modelCalls) return undefined;
  } else if (level < LEVELS.INFO) return undefined;
  const { seq: _seq, at: _at, run: _run, loop, subject, type, ...rest } = event;
  const whose = loop === null ? {} : { [loop]: subject };
  return `INFO ${type} ${JSON.stringify({ ...whose, ...rest })}`;
}
