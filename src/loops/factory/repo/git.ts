// Runs the git command line: argv only, bounded, without inherited GIT_* variables. Programs named in a repository's
// configuration are never run: no hooks, no file system monitor, no filters.
import { AtomsmithError } from "../../../core/errors.ts";

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

const BASE_ARGS = [
  "--no-pager",
  "--literal-pathspecs",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
  "-c",
  "submodule.recurse=false",
  "-c",
  "advice.detachedHead=false",
];

export interface GitOptions {
  /** Standard input. */
  input?: string | Uint8Array;
  /** Exit codes besides 0 that are not failures. */
  codes?: readonly number[];
  /** Environment variables of this call. */
  env?: Readonly<Record<string, string>>;
}

export interface GitAnswer {
  code: number;
  stdout: Buffer;
  /** The output as text without the final line break. */
  text: string;
}

/** git in one work tree. */
export class Git {
  readonly root: string;
  private readonly env: Record<string, string>;
  private filters: Record<string, string> | undefined;

  /** @param root absolute path of the work tree */
  constructor(root: string, env: Readonly<Record<string, string | undefined>>) {
    this.root = root;
    this.env = { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" };
    for (const [name, value] of Object.entries(env)) {
      if (value !== undefined && !/^GIT_/i.test(name) && name !== "LC_ALL") this.env[name] = value;
    }
  }

  /** A read-only call, which does not refresh the index either. Throws kind `usage` if git fails. */
  read(args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    return this.run(args, { ...options, env: { GIT_OPTIONAL_LOCKS: "0", ...options.env } });
  }

  /** A call with hooks, monitors and filters disabled. Throws kind `usage` if git fails. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
    this.filters ??= await this.filtersOff();
    return this.call(args, { ...options, env: { ...this.filters, ...options.env } });
  }

  /** Paths in the output of a call with `-z`, in latin1. */
  async list(args: readonly string[]): Promise<string[]> {
    const { stdout } = await this.read(args);
    return stdout.toString("latin1").split("\0").slice(0, -1);
  }

  /** Variables that disable every configured filter; variables because names may contain any character. */
  private async filtersOff(): Promise<Record<string, string>> {
    const { stdout } = await this.call(["config", "--name-only", "-z", "--get-regexp", "^filter\\."], {
      codes: [1],
    });
    const keys = stdout
      .toString("utf8")
      .split("\0")
      .filter((key) => key !== "");
    const names = new Set(keys.map((key) => key.slice("filter.".length, key.lastIndexOf("."))));
    const settings = [...names].flatMap((name) => [
      ...["clean", "smudge", "process"].map((part) => [`filter.${name}.${part}`, ""] as const),
      [`filter.${name}.required`, "false"] as const,
    ]);
    const variables = settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]);
    return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(variables) };
  }

  private async call(args: readonly string[], options: GitOptions): Promise<GitAnswer> {
    const child = this.spawn(args, options);
    const [stdout, stderr, code] = await Promise.all([
      collect(child.stdout, child),
      collect(child.stderr, child),
      child.exited,
    ]);
    const name = `git ${args[0] ?? ""}`;
    if (child.signalCode !== null) {
      throw new AtomsmithError("store", `${name} was killed by ${child.signalCode} in ${this.root}`, {
        where: this.root,
        hint: `git calls are limited to ${TIMEOUT_MS / 1000} s and ${MAX_OUTPUT_BYTES} bytes of output`,
      });
    }
    if (code !== 0 && !(options.codes ?? []).includes(code)) {
      const lastLines = stderr.toString("utf8").trim().split("\n").slice(-3).join(" ");
      throw new AtomsmithError("usage", `${name} failed with ${code}: ${lastLines.slice(0, 500)}`, {
        where: this.root,
      });
    }
    return { code, stdout, text: stdout.toString("utf8").replace(/\n$/, "") };
  }

  private spawn(args: readonly string[], options: GitOptions) {
    try {
      return Bun.spawn(["git", ...BASE_ARGS, ...args], {
        cwd: this.root,
        env: { ...this.env, ...options.env },
        stdin: options.input === undefined ? "ignore" : Buffer.from(options.input as string),
        stdout: "pipe",
        stderr: "pipe",
        timeout: TIMEOUT_MS,
        killSignal: "SIGKILL",
      });
    } catch (error) {
      throw new AtomsmithError("usage", "cannot start git", {
        hint: "install git 2.30 or newer and put it on the PATH",
        cause: error,
      });
    }
  }
}

async function collect(
  stream: ReadableStream<Uint8Array>,
  child: { kill(signal: "SIGKILL"): void },
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > MAX_OUTPUT_BYTES) child.kill("SIGKILL");
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
