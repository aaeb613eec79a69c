// Peak memory of this process and its descendants, measured by a separate process (tree-memory-sampler.ts). Linux
// only.
import { join } from "node:path";

/** Resident memory of one process in MiB: at the first sample, and the maximum (the kernel's high-water mark). */
export interface ProcessPeak {
  pid: number;
  first: number;
  peak: number;
}

/** Largest sums over the tree, in MiB: resident, and proportional (memory that processes share counted once; 0 unless asked
 * for). */
export interface TreePeak {
  rss: number;
  pss: number;
  root: ProcessPeak | undefined;
  processes: ProcessPeak[];
}

export class TreeMemory {
  private readonly sampler: Bun.Subprocess<"pipe", "pipe", "inherit">;
  private readonly lines = this.readLines();

  /** @param options with `proportional`, the sampler reads the proportional size, too, which costs the measured processes
   * time */
  constructor(options: { proportional?: boolean } = {}) {
    const script = join(import.meta.dirname, "tree-memory-sampler.ts");
    const proportional = options.proportional === true ? ["proportional"] : [];
    this.sampler = Bun.spawn([process.execPath, script, String(process.pid), ...proportional], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
  }

  /** Starts a measurement: resets the high-water marks. */
  async start(): Promise<void> {
    await this.ask("start");
  }

  /** Ends the measurement. */
  async stop(): Promise<TreePeak> {
    return JSON.parse(await this.ask("stop")) as TreePeak;
  }

  async close(): Promise<void> {
    await this.sampler.stdin.end();
    await this.sampler.exited;
  }

  private async ask(command: string): Promise<string> {
    this.sampler.stdin.write(`${command}\n`);
    this.sampler.stdin.flush();
    const { value, done } = await this.lines.next();
    if (done) throw new Error("the memory sampler ended");
    return value;
  }

  private async *readLines(): AsyncGenerator<string, void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of this.sampler.stdout) {
      rest += decoder.decode(chunk, { stream: true });
      for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
        yield rest.slice(0, end);
        rest = rest.slice(end + 1);
      }
    }
  }
}
