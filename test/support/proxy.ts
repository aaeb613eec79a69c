// A TCP proxy between a process and its database that simulates network failures on real connections.
import { createServer, type Server, Socket } from "node:net";

/**
 * - `open`: forwards.
 * - `silent`: a pulled cable. Nothing arrives and nothing breaks; data sent meanwhile arrives when the line is open again.
 * - `reset`: connections break, and new ones break at once.
 * - `forgotten`: a firewall that lost its table. Existing connections never answer again; new ones work.
 */
export type Line = "open" | "silent" | "reset" | "forgotten";

interface Pair {
  near: Socket;
  far: Socket;
  dead: boolean;
}

export class LineProxy {
  private readonly server: Server;
  private readonly pairs = new Set<Pair>();
  private line: Line = "open";

  private constructor(server: Server) {
    this.server = server;
  }

  /** Listens on a free port of loopback. */
  static async start(targetPort: number): Promise<LineProxy> {
    const server = createServer({ allowHalfOpen: true });
    const proxy = new LineProxy(server);
    server.on("connection", (near) => proxy.join(near, targetPort));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** The URL of the database through this proxy. */
  url(url: string): string {
    const address = this.server.address();
    const through = new URL(url);
    if (typeof address === "object" && address !== null) through.port = String(address.port);
    return through.href;
  }

  set(line: Line): void {
    this.line = line;
    for (const pair of this.pairs) {
      if (line === "forgotten") pair.dead = true;
      if (line === "reset") this.cut(pair);
      else this.regulate(pair);
    }
  }

  stop(): void {
    this.set("reset");
    this.server.close();
  }

  private join(near: Socket, targetPort: number): void {
    if (this.line === "reset") {
      near.on("error", () => undefined).resetAndDestroy();
      return;
    }
    const far = new Socket({ allowHalfOpen: true });
    const pair = { near, far, dead: false };
    this.pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => this.cut(pair));
      from.on("close", () => this.cut(pair));
      from.on("data", (bytes) => to.write(bytes));
      from.on("end", () => to.end());
    }
    far.connect(targetPort, "127.0.0.1");
    this.regulate(pair);
  }

  private regulate({ near, far, dead }: Pair): void {
    for (const socket of [near, far]) {
      if (dead || this.line === "silent") socket.pause();
      else socket.resume();
    }
  }

  private cut(pair: Pair): void {
    if (!this.pairs.delete(pair)) return;
    for (const socket of [pair.near, pair.far]) socket.resetAndDestroy();
  }
}
