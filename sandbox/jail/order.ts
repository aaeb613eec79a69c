// The order for a launcher and its reply. Rights are data: a profile names the system call filter, rules state which
// paths may be used and how. Launcher, supervisor and parent share these types.

/** Name of the system call filter: `atoms` is an allow-list, `command` denies what a build does not need. */
export type JailProfile = "atoms" | "command";

/** How a path may be used. `file`: read it; `program`: read and execute it; `list`: list directories; `read`: read,
 * list and execute below it; `write`: all of that, and create, change and remove; `device`: read and write it. */
export type PathAccess = "file" | "program" | "list" | "read" | "write" | "device";

export interface PathRule {
  path: string;
  access: PathAccess;
}

/** Protections that a launcher applies. `read_only_mounts` is optional and depends on the machine. */
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

/** Parts that can be left out: by `jail: "off"`, and by the drill that shows what each level denies. */
export type JailPart = "landlock" | "seccomp" | "privileges" | "mounts";

export interface ResourceLimit {
  resource: "core" | "open_files" | "file_bytes" | "processes";
  soft: number;
  /** Without it the hard limit stays. */
  hard?: number;
}

/** Passed as JSON in the argument after JAIL_FLAG, or in a file named by that argument. */
export interface JailOrder {
  profile: JailProfile;
  /** Absolute path of the program; `argv` includes its name as argv[0]. */
  program: string;
  argv: string[];
  env: Record<string, string>;
  /** Working directory; default: that of the launcher. */
  cwd?: string;
  rules: PathRule[];
  network: boolean;
  limits: ResourceLimit[];
  /** Process id of the parent; the launcher exits if the parent has ended. */
  parent: number;
  /** Descriptor to which the notice is written, as a frame. */
  noticeFd: number;
  /** Roots that stay writable when all other mounts become read-only; without it mounts are not changed. */
  mounts?: { writable: string[]; readOnly: string[] };
  /** The program is not started unless all of these are in force. */
  demand: Protection[];
  without: JailPart[];
}

/** The protections in force, sent before the program is executed. */
export interface JailNotice {
  type: "jail";
  /** Version of Landlock in force, 0 for none. */
  landlock: number;
  seccomp: boolean;
  held: Protection[];
  missing: string[];
}

/** Why the program was not started. */
export interface JailRefusal {
  type: "refused";
  what: "demand" | "exec" | "launcher";
  /** errno of execve, otherwise 0. */
  errno: number;
  message: string;
}
