// What the stages of a checklist need from outside, and where the files of a project are.
import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Sandbox } from "../../../../sandbox/types.ts";
import type { Config } from "../../../config/schema.ts";
import type { EventBus } from "../../../core/event-bus.ts";
import { OWN_FOLDER, REPORTS, TURN_LOG } from "../folder.ts";
import type { ChecklistSpec, SpecItem } from "./spec.ts";

/** How an item became a set of atoms, or did not. */
export interface AuthoredItem {
  item: string;
  status: "accepted" | "human_required" | "error";
  message: string;
}

/** Whoever writes and proves atoms: the item loop, given by the command. */
export interface ItemAuthor {
  /** Hash of the settings, prompts and gates that decide what is written. */
  settings(paths: AuthorPaths): string;
  /** Makes what is not up to date. Throws kinds `config` and `interrupted`. */
  author(pages: readonly string[], paths: AuthorPaths, signal: AbortSignal): Promise<AuthoredItem[]>;
}

export interface AuthorPaths {
  searchRoot: string;
  variables: Record<string, string>;
  outputDir: string;
  cacheDir: string;
  /** Files of the project that are no logs. */
  ownFiles: string[];
}

export interface ChecklistServices {
  config: Config;
  bus: EventBus;
  author: ItemAuthor;
  /** Started when something has to be judged. */
  sandbox(): Promise<Sandbox>;
  /** Isolates at once. */
  children: number;
  /** The folder of the atom sets; the project's own unless the configuration names one. */
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

/** One project's checklist at work. */
export class Checklist {
  readonly dir: string;
  readonly services: ChecklistServices;

  constructor(dir: string, services: ChecklistServices) {
    this.dir = dir;
    this.services = services;
  }

  /** Today, UTC: what waivers with an end are compared with. */
  get today(): string {
    return this.services.now().toISOString().slice(0, 10);
  }

  searchRoot({ search_root }: ChecklistSpec): string {
    const root = resolve(this.dir, search_root);
    return existsSync(root) ? realpathSync(root) : root;
  }

  /** What the program keeps in the project, by name: a person's pages and logs may lie beside it. */
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

  /** Of the spec, over those of the configuration. */
  variables({ variables }: ChecklistSpec): Record<string, string> {
    return { ...this.services.config.paths.variables, ...variables };
  }
}

/** Items that take part, in the order of their ids. */
export function enabledItems(spec: ChecklistSpec): [id: string, item: SpecItem][] {
  return Object.entries(spec.items)
    .filter(([, item]) => item.enabled)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
