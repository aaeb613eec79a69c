// The three files a child needs and where they lie.

export interface RuntimeFiles {
  /** Folder of the runtime; the only one besides the C libraries that a jailed child can read. */
  dir: string;
  node: string;
  addon: string;
  child: string;
}
