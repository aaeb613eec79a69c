// The executable of this process, also after the file was replaced.
import { statSync } from "node:fs";

/** A path that starts the running version. After an upgrade in place or a removal, the file name refers to another version
 * or to nothing, but Linux still gives access to the running file. */
export function ownExecutable(): string {
  if (process.platform !== "linux") return process.execPath;
  const running = `/proc/${process.pid}/exe`;
  try {
    const [named, open] = [process.execPath, running].map((path) => statSync(path, { bigint: true }));
    return named?.ino === open?.ino && named?.dev === open?.dev ? process.execPath : running;
  } catch {
    return statSync(running, { throwIfNoEntry: false }) === undefined ? process.execPath : running;
  }
}
