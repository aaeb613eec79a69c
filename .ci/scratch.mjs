// The folder for the files of one run of the tests.
import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
/** Free memory, in bytes, from which on files are made there: several times what the tests were seen to use. */
const LEAST_FREE = 4 * 1024 ** 3;
const NAME = "atomsmith-test-";
/** More than CI gives a run. */
const LONGEST_RUN_MS = 2 * 60 * 60 * 1000;

/** Makes an empty folder that other users may enter, since some tests run programs as other users. It is in memory where there
 * is room and programs may be executed: tests make and remove many thousand small files (docs/measurements/code.md). The
 * caller removes it. */
export function scratchFolder() {
  if (hasRoom()) {
    removeLeftovers();
    const folder = newFolder(MEMORY);
    const probe = join(folder, "probe");
    writeFileSync(probe, "#!/bin/sh\n", { mode: 0o755 });
    const { status } = spawnSync(probe);
    if (status === 0) return folder;
    rmSync(folder, { recursive: true });
  }
  return newFolder(tmpdir());
}

function hasRoom() {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_FREE;
  } catch {
    return false;
  }
}

/** Removes this user's folders of runs that were killed: they would occupy memory until the next boot. */
function removeLeftovers() {
  for (const name of readdirSync(MEMORY).filter((entry) => entry.startsWith(NAME))) {
    const folder = join(MEMORY, name);
    const found = statSync(folder, { throwIfNoEntry: false });
    const isLeftover = found?.uid === process.getuid() && Date.now() - found.mtimeMs > LONGEST_RUN_MS;
    if (isLeftover) rmSync(folder, { recursive: true, force: true });
  }
}

function newFolder(parent) {
  const folder = mkdtempSync(join(parent, NAME));
  chmodSync(folder, 0o755);
  return folder;
}
