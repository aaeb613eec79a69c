// Paths of the files a child needs. A jailed child can read these and the C libraries, nothing else.

export interface RuntimeFiles {
  dir: string;
  node: string;
  addon: string;
  child: string;
  /** An empty configuration: one that cannot be read is a fatal error for OpenSSL. */
  openssl: string;
}
