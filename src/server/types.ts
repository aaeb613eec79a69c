// Options and context of the server, and the types of its modules, which add routes and kinds of jobs.
import type { z } from "zod";
import type { Config } from "../config/schema.ts";
import type { Checks } from "./checks.ts";
import type { Hub } from "./events/hub.ts";
import type { Fleet } from "./fleet.ts";
import type { Metrics } from "./http/metrics.ts";
import type { Items } from "./items/items.ts";
import type { Jobs } from "./jobs/jobs.ts";
import type { JobKind } from "./jobs/kinds.ts";
import type { Folders, Logs } from "./logs.ts";
import type { ProgramOptions, ProgramRunner } from "./program.ts";

export interface ServeOptions {
  host: string;
  port: number;
  /** Further names that the Host header may have, without port. */
  allowedHosts: readonly string[];
  /** Required in every request when set. */
  token: string | undefined;
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  /** Working directory. */
  cwd: string;
  /** Command line that starts this program. */
  program: readonly string[];
  /** Flags passed to the commands that the server starts. */
  programFlags: ProgramOptions["flags"];
  /** Files of the program itself, which are not logs. */
  ownFiles: readonly string[];
  /** JSON Schemas of the documents that commands print. */
  schemas: { names: readonly string[]; of(name: string): object };
  /** Maximum number of running jobs. */
  concurrency: number;
  /** Stops the server; running jobs are checkpointed. */
  signal: AbortSignal;
  warn(message: string): void;
}

/** Context of handlers. */
export interface ServerContext {
  options: ServeOptions;
  items: Items;
  jobs: Jobs;
  checks: Checks;
  hub: Hub;
  logs: Logs;
  /** Files of projects, runs and agents. */
  folders: Folders;
  /** The queue of the fleet, if configured. */
  fleet: Fleet;
  metrics: Metrics;
  run: ProgramRunner;
  startedAt: number;
}

type Shape<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface Request_<P, Q, B> {
  params: Shape<P>;
  query: Shape<Q>;
  body: Shape<B>;
  raw: Request;
}

/** One operation of the HTTP interface. A handler returns a value that becomes JSON, or a Response. */
export interface Route {
  method: "get" | "post";
  /** With `{name}` for parameters. */
  path: string;
  summary: string;
  tag: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Schema of the JSON answer; a text when the answer has another media type. */
  answer: z.ZodType | { mediaType: string; description: string };
  status?: 200 | 201 | 202;
  /** Answered without a token. */
  open?: boolean;
  handle(request: Request_<z.ZodType, z.ZodType, z.ZodType>, context: ServerContext): unknown;
}

interface RouteInput<P, Q, B> extends Omit<Route, "params" | "query" | "body" | "handle"> {
  params?: P;
  query?: Q;
  body?: B;
  handle(request: Request_<P, Q, B>, context: ServerContext): unknown;
}

/** Declares an operation; the handler gets parameters, query and body as their schemas read them. */
export function route<
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>(input: RouteInput<P, Q, B>): Route {
  return input as unknown as Route;
}

/** Marks by subject. */
export type Marks = ReadonlyMap<string, string>;

export interface Watch {
  /** Type of the event that is published. */
  event: string;
  /** Marks that change with what views show. Undefined: skipped this time. */
  marks(context: ServerContext): Marks | undefined | Promise<Marks | undefined>;
}

/** A part of the interface, e.g. of one loop. */
export interface ServerModule {
  routes?: readonly Route[];
  kinds?: readonly JobKind[];
  /** Detects changes by other processes. */
  watches?: readonly Watch[];
}
