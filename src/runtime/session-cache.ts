// Most items of a run have the same source of Atoms B and C: items with equal sources share one session, and so one
// isolate per child. Different sources never share one.
import type { AtomSession, Sandbox } from "../../sandbox/types.ts";

export class SessionCache {
  private readonly sandbox: Sandbox;
  private readonly sessions = new Map<string, Promise<AtomSession>>();

  constructor(sandbox: Sandbox) {
    this.sandbox = sandbox;
  }

  /** The session of a source; it stays open until the cache is closed. */
  open(name: string, source: string): Promise<AtomSession> {
    const known = this.sessions.get(source);
    if (known !== undefined) return known;
    const opened = this.sandbox.open({ name, source });
    this.sessions.set(source, opened);
    return opened;
  }

  async close(): Promise<void> {
    const open = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(open.map(async (session) => (await session).close()));
  }
}
