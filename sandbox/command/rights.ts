// Which paths a command may use: the rules of the profile `command`, as data. `system` is everything readable except
// devices and the usual locations of credentials.
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import type { PathRule } from "../jail/order.ts";

/** Devices that programs expect. No terminals: `/dev/tty` and `/dev/pts` belong to the user's session. */
const DEVICES = ["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`);

/** Relative to the user's home directory. */
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
/** System files that only root can read; hidden in case this runs as root. */
const SYSTEM_SECRETS = [
  "/etc/shadow",
  "/etc/shadow-",
  "/etc/gshadow",
  "/etc/gshadow-",
  "/etc/sudoers",
  "/dev",
];

/** Paths excluded from `system`. */
function secretPaths(): string[] {
  const home = resolveIfExists(homedir());
  return [...SYSTEM_SECRETS, ...CREDENTIALS.map((name) => join(home, name))];
}

export interface CommandRights {
  readable: "system" | readonly string[];
  /** Excluded from `system` in addition to the credentials. */
  hidden?: readonly string[];
  writable: readonly string[];
}

/** The path rules of a program with these rights. */
export function commandRules(program: string, rights: CommandRights): PathRule[] {
  const { readable, hidden = [], writable } = rights;
  const rules: PathRule[] = DEVICES.map((path) => ({ path, access: "device" }));
  if (readable === "system") {
    // File names may be listed everywhere: a rule for a directory applies to everything below it.
    rules.push({ path: "/", access: "list" });
    rules.push(...readableBelow("/", [...secretPaths(), ...hidden.map(resolveIfExists)]));
  } else {
    rules.push(...readable.map((path): PathRule => ({ path, access: "read" })));
  }
  rules.push({ path: program, access: "program" });
  rules.push(...writable.map((path): PathRule => ({ path, access: "write" })));
  return rules;
}

/** Resolves symbolic links, since Landlock rules apply to files, not names; a path that does not exist is unchanged. */
function resolveIfExists(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Rules to read everything below a directory except some paths. Landlock rules can only grant, so a directory that
 * contains a hidden path gets one rule per entry. Files created in it later cannot be read. */
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
    // A rule for a link applies to its target, which may be hidden.
    if (stats === undefined || stats.isSymbolicLink()) return [];
    return stats.isDirectory() ? readableBelow(path, inside) : [{ path, access: "program" as const }];
  });
}
