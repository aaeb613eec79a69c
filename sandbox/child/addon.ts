// Loads isolated-vm by path: a bundled file has no package folder to find it in.
import type IsolatedVm from "isolated-vm";

/** The addon's API. Throws what the dynamic loader says. */
export function loadIsolatedVm(path: string): typeof IsolatedVm {
  const holder: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
  process.dlopen(holder, path);
  if (holder.exports.ivm === undefined) throw new Error(`${path} is not isolated-vm`);
  return holder.exports.ivm;
}
