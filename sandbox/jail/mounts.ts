// A private mount namespace in which everything except some roots is read-only. Unlike Landlock it also prevents
// changes of permissions, owners, times and attributes. Needs CAP_SYS_ADMIN (root outside a container, or a container
// with that capability); the launcher has threads, so it cannot create a user namespace.
import { accessSync, constants } from "node:fs";
import type { CallTable } from "./calls.ts";
import { addressOf, type SystemCall, text } from "./libc.ts";

const CLONE_NEWNS = 0x20000;
const MS_BIND = 0x1000;
const MS_REC = 0x4000;
const MS_PRIVATE = 0x40000;
const AT_FDCWD = -100;
const AT_RECURSIVE = 0x8000;
const MOUNT_ATTR_RDONLY = 1n;

/** True on success. A failure half-way leaves the mounts of this process more restricted, not less. */
export function mountReadOnly(
  syscall: SystemCall,
  numbers: CallTable,
  roots: { writable: string[]; readOnly: string[] },
): boolean {
  const retained: Uint8Array[] = [];
  const path = (value: string): number => addressOf(text(value, retained));
  const mount = (source: string, target: string, flags: number): boolean =>
    syscall(numbers.mount, path(source), path(target), 0, flags, 0) >= 0;
  const setReadOnly = (target: string, readOnly: boolean): boolean => {
    const attributes = new BigUint64Array(4);
    attributes[readOnly ? 0 : 1] = MOUNT_ATTR_RDONLY;
    return (
      syscall(numbers.mount_setattr, AT_FDCWD, path(target), AT_RECURSIVE, addressOf(attributes), 32) >= 0
    );
  };
  // Roots on read-only mounts stay read-only.
  const writable = roots.writable.filter(isWritable);
  const bind = (root: string): boolean => mount(root, root, MS_BIND | MS_REC);
  return (
    syscall(numbers.unshare, CLONE_NEWNS) >= 0 &&
    mount("none", "/", MS_REC | MS_PRIVATE) &&
    writable.every(bind) &&
    setReadOnly("/", true) &&
    writable.every((root) => setReadOnly(root, false)) &&
    roots.readOnly.every((root) => bind(root) && setReadOnly(root, true))
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EROFS";
  }
}
