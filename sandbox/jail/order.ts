// What a launcher is asked to do, and what it says it did. Rights are data: a profile names the filter of system
// calls, rules say which paths may be used and how. Launcher, supervisor and parent share these types.

/** Name of the filter of system calls: `atoms` is an allow-list, `command` denies what a build does not need. */
export type JailProfile = "atoms" | "command";

/** How a path may be used. `file`: read it; `program`: read and execute it; `list`: list directories; `read`: read,
 * list and execute below it; `write`: all of that, and create, change and remove; `device`: read and write it. */
export type PathAccess = "file" | "program" | "list" | "read" | "write" | "device";

export interface PathRule {
  path: string;
  access: PathAccess;
}

/** Protections that a launcher applies. `read_only_mounts` is an extra where the machine allows it. */
export const PROTECTIONS = [
  "files",
  "network",
  "system_calls",
  "signals",
  "privileges",
  "descriptors",
  "parent_death",
  "process_tree",
  "read_only_mounts",
] as const;
export type Protection = (typeof PROTECTIONS)[number];

/** Parts that can be left out on request: by `jail: "off"`, and by the drill that shows what each level denies. */
export type JailPart = "landlock" | "seccomp" | "privileges" | "mounts";

export interface ResourceLimit {
  resource: "core" | "open_files" | "file_bytes" | "processes";
  soft: number;
  /** Without it the hard limit stays. */
  hard?: number;
}

/** As JSON in the argument after JAIL_FLAG, or in a file that the argument names. */
export interface JailOrder {
  profile: JailProfile;
  /** The program, an absolute path, and its arguments with the name it is started by. */
  program: string;
  argv: string[];
  env: Record<string, string>;
  /** Working directory; without it the one of the launcher. */
  cwd?: string;
  rules: PathRule[];
  network: boolean;
  limits: ResourceLimit[];
  /** Process id of the parent: when it is gone already, the launcher ends. */
  parent: number;
  /** Descriptor for the notice, a frame. */
  noticeFd: number;
  /** Roots that stay writable when all other mounts become read-only; without it mounts are left alone. */
  mounts?: { writable: string[]; readOnly: string[] };
  /** The program is not started unless all of these hold. */
  demand: Protection[];
  without: JailPart[];
}

/** What the launcher reached, before it becomes the program. */
export interface JailNotice {
  type: "jail";
  /** Version of Landlock that was applied, 0 for none. */
  landlock: number;
  seccomp: boolean;
  held: Protection[];
  missing: string[];
}

/** Why the program was not started. */
export interface JailRefusal {
  type: "refused";
  what: "demand" | "exec" | "launcher";
  /** errno of execve, else 0. */
  errno: number;
  message: string;
}
