// Loads isolated-vm by path: a bundled file cannot resolve it as a package.
import type IsolatedVm from "isolated-vm";

/** Loads the addon. Throws the error of the dynamic loader. */
export function loadIsolatedVm(path: string): typeof IsolatedVm {
  const holder: { exports: { ivm?: typeof IsolatedVm } } = { exports: {} };
  process.dlopen(holder, path);
  if (holder.exports.ivm === undefined) throw new Error(`${path} is not isolated-vm`);
  return holder.exports.ivm;
}
