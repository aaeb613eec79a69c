// The runtime files embedded in the executable. The build registers them under a global symbol before the program
// starts; in a checkout there are none.

export interface EmbeddedFile {
  name: "node" | "isolated_vm.node" | "child.cjs";
  /** SHA-256 and size of the unpacked file. */
  sha256: string;
  bytes: number;
  /** Filter applied before compression. */
  filter: "x86" | "none";
  /** Path of the zstd-compressed file inside the executable. */
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
