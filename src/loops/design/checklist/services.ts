// Services of the checklist stages, and the locations of a project's files.
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Sandbox } from "../../../../sandbox/types.ts";
import type { Config } from "../../../config/schema.ts";
import type { EventBus } from "../../../core/event-bus.ts";
import { OWN_FOLDER, REPORTS, TURN_LOG } from "../folder.ts";
import type { ChecklistSpec, SpecItem } from "./spec.ts";

/** The result of authoring an item. */
export interface AuthoredItem {
  item: string;
  status: "accepted" | "human_required" | "error";
  message: string;
}

/** Writes and proves atoms: the item loop, passed by the command. */
export interface ItemAuthor {
  /** Hash of the settings, prompts and gates that affect the atoms. */
  settings(paths: AuthorPaths): string;
  /** Creates the sets that are not up to date. Throws kinds `config` and `interrupted`. */
  author(pages: readonly string[], paths: AuthorPaths, signal: AbortSignal): Promise<AuthoredItem[]>;
}

export interface AuthorPaths {
  searchRoot: string;
  variables: Record<string, string>;
  outputDir: string;
  cacheDir: string;
  /** Files of the project that are not logs. */
  ownFiles: string[];
}

export interface ChecklistServices {
  config: Config;
  bus: EventBus;
  author: ItemAuthor;
  /** Started on first use. */
  sandbox(): Promise<Sandbox>;
  /** Number of isolates. */
  children: number;
  /** The folder of the atom sets; inside the project unless configured otherwise. */
  outputDir: string;
  cacheDir: string;
  now(): Date;
}

const OWN_FILES = [
  OWN_FOLDER,
  "runs",
  "patches",
  "spec_history",
  TURN_LOG,
  ...["artifact_index.json", "compile_report.json", "last_run_report.json"].map(
    (name) => `${REPORTS}/${name}`,
  ),
  ...["project.json", "spec.json", "state.json"],
];

/** The checklist of one project. */
export class Checklist {
  readonly dir: string;
  readonly services: ChecklistServices;

  constructor(dir: string, services: ChecklistServices) {
    this.dir = dir;
    this.services = services;
  }

  /** The current date, UTC, for the expiry of waivers. */
  get today(): string {
    return this.services.now().toISOString().slice(0, 10);
  }

  searchRoot({ search_root }: ChecklistSpec): string {
    const root = resolve(this.dir, search_root);
    return existsSync(root) ? realpathSync(root) : root;
  }

  /** The program's own files in the project, by name: the user's pages and logs may be next to them. */
  get ownFiles(): string[] {
    return OWN_FILES.map((name) => resolve(this.dir, name));
  }

  pageOf({ page }: SpecItem): string {
    return isAbsolute(page) ? page : resolve(this.dir, page);
  }

  setOf(id: string): string {
    return resolve(this.services.outputDir, id);
  }

  paths(spec: ChecklistSpec): AuthorPaths {
    const { outputDir, cacheDir } = this.services;
    return {
      searchRoot: this.searchRoot(spec),
      variables: this.variables(spec),
      outputDir,
      cacheDir,
      ownFiles: this.ownFiles,
    };
  }

  /** Variables of the spec, which override those of the configuration. */
  variables({ variables }: ChecklistSpec): Record<string, string> {
    return { ...this.services.config.paths.variables, ...variables };
  }
}

/** Enabled items, sorted by id. */
export function enabledItems(spec: ChecklistSpec): [id: string, item: SpecItem][] {
  return Object.entries(spec.items)
    .filter(([, item]) => item.enabled)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
