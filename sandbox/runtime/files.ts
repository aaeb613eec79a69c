// The files a child needs and where they lie. A jailed child can read these and the C libraries, nothing else.

export interface RuntimeFiles {
  dir: string;
  node: string;
  addon: string;
  child: string;
  /** An empty configuration: OpenSSL takes one it cannot read for fatal. */
  openssl: string;
}
