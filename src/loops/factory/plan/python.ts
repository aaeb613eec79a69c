// Checks the syntax of Python source with the installed Python, without running it.
const TIMEOUT_MS = 10_000;
const CHECK = "import ast, sys\nast.parse(sys.stdin.read())";

/** The last line of the syntax error; undefined if the source parses, or without a Python interpreter. */
export async function pythonProblem(source: string): Promise<string | undefined> {
  const python = Bun.which("python3") ?? Bun.which("python");
  if (python === null) return undefined;
  const child = Bun.spawn([python, "-I", "-c", CHECK], {
    stdin: Buffer.from(source),
    stdout: "ignore",
    stderr: "pipe",
    timeout: TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const stderrText = await new Response(child.stderr).text();
  if ((await child.exited) === 0 || child.signalCode !== null) return undefined;
  return stderrText.trim().split("\n").at(-1) ?? "it does not parse";
}
