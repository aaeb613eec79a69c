// Which paths a command may use: the rules of the profile `command`, as data. `system` is everything that can be
// read but for devices and the places where people and tools keep their credentials.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import type { PathRule } from "../jail/order.ts";

/** Devices that programs expect. No terminals: `/dev/tty` and `/dev/pts` belong to a person. */
const DEVICES = ["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`);

/** Below the home directory of the user. */
const CREDENTIALS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/hub",
  ".config/git/credentials",
  ".docker",
  ".kube",
  ".netrc",
  ".git-credentials",
  ".npmrc",
  ".yarnrc.yml",
  ".pypirc",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".m2/settings-security.xml",
  ".gradle/gradle.properties",
  ".gem/credentials",
  ".terraform.d/credentials.tfrc.json",
  ".vault-token",
  ".password-store",
  ".local/share/keyrings",
  ".mozilla",
  ".config/chromium",
  ".config/google-chrome",
  ".bash_history",
  ".zsh_history",
  ".pgpass",
  ".my.cnf",
];
/** Of the system: an ordinary user cannot read them anyway, root can. */
const SYSTEM_SECRETS = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/dev",
];

/** Paths that `system` leaves out. */
function hiddenPaths(): string[] {
  const home = realOr(homedir());
  return [...SYSTEM_SECRETS, ...CREDENTIALS.map((name) => join(home, name))];
}

export interface CommandRights {
  readable: "system" | readonly string[];
  /** Left out of `system`, beside the credentials. */
  hidden?: readonly string[];
  writable: readonly string[];
}

/** The rules for a program with these rights. */
export function commandRules(program: string, rights: CommandRights): PathRule[] {
  const { readable, hidden = [], writable } = rights;
  const rules: PathRule[] = DEVICES.map((path) => ({ path, access: "device" }));
  if (readable === "system") {
    // Names of files may be listed everywhere: a rule for a directory holds for all that is below it.
    rules.push({ path: "/", access: "list" });
    rules.push(...readableBelow("/", [...hiddenPaths(), ...hidden.map(realOr)]));
  } else {
    rules.push(...readable.map((path): PathRule => ({ path, access: "read" })));
  }
  rules.push({ path: program, access: "program" });
  rules.push(...writable.map((path): PathRule => ({ path, access: "write" })));
  return rules;
}

/** Landlock knows files, not names: the path without links, or as it is when there is nothing there. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Rules to read all below a directory but for some paths: Landlock can only give, so a directory that holds one of
 * them is taken apart. What is created in such a directory later cannot be read. */
function readableBelow(directory: string, hidden: string[]): PathRule[] {
  const within = directory.endsWith(sep) ? directory : directory + sep;
  const inside = hidden.filter((path) => path.startsWith(within));
  if (inside.length === 0) return [{ path: directory, access: "read" }];
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = within + name;
    if (hidden.includes(path)) return [];
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A rule for a link would be one for what it points to, which may be hidden.
    if (stats === undefined || stats.isSymbolicLink()) return [];
    return stats.isDirectory() ? readableBelow(path, inside) : [{ path, access: "program" as const }];
  });
}
