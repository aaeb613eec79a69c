// The parts of the runtime that the executable carries. The build registers them under a symbol before the
// program starts; in a checkout there are none.

export interface EmbeddedFile {
  name: "node" | "isolated_vm.node" | "child.cjs";
  /** SHA-256 and size of the unpacked file. */
  sha256: string;
  bytes: number;
  /** What was done to the bytes before they were compressed. */
  filter: "x86" | "none";
  /** Where the zstd-compressed file can be read inside the executable. */
  path: string;
}

export interface EmbeddedRuntime {
  files: EmbeddedFile[];
}

/** undefined in a checkout. */
export function embeddedRuntime(): EmbeddedRuntime | undefined {
  return (globalThis as { [key: symbol]: unknown })[Symbol.for("atomsmith.runtime")] as
    | EmbeddedRuntime
    | undefined;
}
