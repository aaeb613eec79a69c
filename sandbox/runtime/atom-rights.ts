// The rights of a jailed sandbox child: execute Node, read its files and the C libraries it is linked with. It cannot
// list or write anything.
import { existsSync } from "node:fs";
import type { PathRule, ResourceLimit } from "../jail/order.ts";

/** Libraries that Node and isolated-vm are linked with, and the directories where distributions install them. */
const LIBRARIES = [
  "libc.so.6",
  "libm.so.6",
  "libdl.so.2",
  "libpthread.so.0",
  "librt.so.1",
  "libgcc_s.so.1",
  "libstdc++.so.6",
  "libatomic.so.1",
  "ld-linux-x86-64.so.2",
  "ld-linux-aarch64.so.1",
];
const LIBRARY_FOLDERS: Record<string, string[]> = {
  x64: ["/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"],
  arm64: ["/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"],
};

/** No core files, and few descriptors: the child needs only its pipes and those that V8 opens. */
export const ATOM_LIMITS: ResourceLimit[] = [
  { resource: "core", soft: 0, hard: 0 },
  { resource: "open_files", soft: 64, hard: 64 },
];

/** Rules for a runtime and the files it reads. */
export function atomRules(node: string, files: string[]): PathRule[] {
  const libraries = (LIBRARY_FOLDERS[process.arch] ?? [])
    .flatMap((folder) => LIBRARIES.map((name) => `${folder}/${name}`))
    .filter((path) => existsSync(path));
  return [
    ...[node, ...libraries].map((path): PathRule => ({ path, access: "program" })),
    ...[...files, "/etc/ld.so.cache"].map((path): PathRule => ({ path, access: "file" })),
  ];
}
