// Name of the user who decides, from the environment or git.
import { userInfo } from "node:os";

type Env = Readonly<Record<string, string | undefined>>;

/** Timeout of git, milliseconds. */
const GIT_MS = 2_000;

/** `ATOMSMITH_PERSON`, git's variables, git's configuration, or the name of the account. */
export async function userNameOf(env: Env, cwd: string): Promise<string> {
  const named = env["ATOMSMITH_PERSON"] ?? env["GIT_AUTHOR_NAME"] ?? env["GIT_COMMITTER_NAME"];
  if (named?.trim()) return oneLine(named);
  const configured = await gitName(env, cwd);
  if (configured !== "") return oneLine(configured);
  return oneLine(env["USER"] || env["LOGNAME"] || accountName());
}

async function gitName(env: Env, cwd: string): Promise<string> {
  try {
    const given = Object.fromEntries(
      Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    const git = Bun.spawn(["git", "config", "--get", "user.name"], {
      cwd,
      env: given,
      stdin: "ignore",
      stderr: "ignore",
      timeout: GIT_MS,
    });
    return (await new Response(git.stdout).text()).trim();
  } catch {
    return ""; // git is not installed
  }
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

function oneLine(text: string): string {
  return (
    text
      .replace(/[\s\p{C}]+/gu, " ")
      .trim()
      .slice(0, 200) || "unknown"
  );
}
