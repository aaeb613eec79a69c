// Reads the answers given to `resume`: the blocks of `--example FILE|-` (contract, section 6) and the text of
// `--hint TEXT|-`. `-` reads standard input; on a terminal the program says how to end it.
import { AtomsmithError } from "../core/errors.ts";
import { readBytes } from "../logio/index.ts";
import { checkProblems } from "../runtime/check-block.ts";
import { decodePage, MAX_PAGE_BYTES, readAnswers } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { CommandContext } from "./context.ts";

/** Reads every named file; `-` is standard input. Throws kind `usage` for unreadable input. */
export async function readExamples(
  names: readonly string[],
  spec: ItemSpec,
  context: CommandContext,
): Promise<string[]> {
  if (names.filter((name) => name === "-").length > 1) {
    throw new AtomsmithError("usage", "--example - can be given only once");
  }
  const answers: string[] = [];
  for (const name of names) {
    const bytes = name === "-" ? await fromStdin(context, "example") : fromFile(context.resolve(name), name);
    const decoded = decodePage(bytes);
    if (!decoded.ok)
      throw new AtomsmithError("usage", `--example ${name}: ${decoded.message}`, { where: name });
    answers.push(...readAnswers(decoded.text, name, spec, checkProblems));
  }
  return answers;
}

/** The hint; `-` is standard input. Throws kind `usage` when it is empty. */
export async function readHint(
  text: string,
  examples: readonly string[],
  context: CommandContext,
): Promise<string> {
  if (text !== "-") return text;
  if (examples.includes("-")) {
    throw new AtomsmithError(
      "usage",
      "--hint - and --example - exclude each other: standard input is read once",
    );
  }
  const decoded = decodePage(await fromStdin(context, "answer"));
  if (!decoded.ok) throw new AtomsmithError("usage", `--hint -: ${decoded.message}`);
  const words = decoded.text.trim();
  if (words === "") throw new AtomsmithError("usage", "--hint -: standard input is empty");
  return words;
}

function fromFile(path: string, name: string): Uint8Array {
  const read = readBytes(path, MAX_PAGE_BYTES + 1);
  if (read.ok) return read.bytes;
  throw new AtomsmithError("usage", `--example ${name}: ${read.diagnostic.message}`, { where: path });
}

async function fromStdin({ io, signal, output }: CommandContext, what: string): Promise<Uint8Array> {
  signal.throwIfAborted();
  if (io.stdinIsTTY) output.warn(`type the ${what}, then Ctrl-D on a line of its own`);
  const ended = Promise.withResolvers<never>();
  const stop = (): void => ended.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([io.readStdin(), ended.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
