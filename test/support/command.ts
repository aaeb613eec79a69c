// Runs commands as a loop does: a writable repository, output files beside it, private folders.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandOptions, type CommandResult, runCommand } from "../../sandbox/command.ts";
import { folders } from "./folder.ts";

export interface Ran extends CommandResult {
  out: string;
  err: string;
}

export interface Place {
  repo: string;
  outside: string;
  run: (argv: string[], options?: Partial<CommandOptions>) => Promise<Ran>;
}

/** Creates working folders for commands, removed when the test file ends. */
export function commandPlaces(name: string): (files?: Record<string, string>) => Place {
  const folder = folders(name);
  return (files = {}) => {
    const repo = folder(files);
    const outside = folder({ "secret.txt": "secret", "victim.txt": "victim" });
    const run: Place["run"] = async (argv, options = {}) => {
      const result = await runCommand({
        argv,
        cwd: repo,
        readable: "system",
        writable: [repo],
        privateTmp: true,
        network: false,
        stdout: join(outside, "stdout.txt"),
        stderr: join(outside, "stderr.txt"),
        jail: "preferred",
        ...options,
        limits: { timeMs: 20_000, outputBytes: 1024 * 1024, ...options.limits },
      });
      const [out, err] = [result.stdout.path, result.stderr.path].map((path) => readFileSync(path, "latin1"));
      return { ...result, out: out ?? "", err: err ?? "" };
    };
    return { repo, outside, run };
  };
}
