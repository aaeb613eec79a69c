// A disk of a few megabytes for tests that fill it: a file system in memory in its own namespaces, so that an
// ordinary user can mount it. Not available where the machine does not allow that.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class SmallDisk {
  /** Its path outside its namespace. */
  readonly path: string;
  private readonly holder: Bun.Subprocess;
  private readonly dir: string;
  private readonly user: number | undefined;

  private constructor(holder: Bun.Subprocess, dir: string, user: number | undefined) {
    this.user = user;
    this.holder = holder;
    this.dir = dir;
    this.path = `/proc/${holder.pid}/root${dir}`;
  }

  /** Undefined where users may not mount.
   * @param user the user of the disk, for a test that runs as root */
  static async open(megabytes: number, user: number | undefined): Promise<SmallDisk | undefined> {
    const dir = mkdtempSync(join(tmpdir(), "atomsmith-disk-"));
    chmodSync(dir, 0o777);
    const mount = `mount -t tmpfs -o size=${megabytes}m,mode=0777 none "$0" && echo mounted && read end`;
    const holder = Bun.spawn(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, dir], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
      ...(user === undefined ? {} : { uid: user, gid: user }),
    } as Bun.SpawnOptions.OptionsObject<"pipe", "pipe", "ignore">);
    const disk = new SmallDisk(holder, dir, user);
    const { value } = await holder.stdout.getReader().read();
    if (new TextDecoder().decode(value).startsWith("mounted")) return disk;
    await disk.close();
    return undefined;
  }

  /** A folder on it that its user may write. */
  folder(name: string): string {
    const path = join(this.path, name);
    this.run("mkdir", "-m", "700", path);
    return path;
  }

  /** Fills the disk: ends with an error of the disk. */
  fill(): void {
    this.run("dd", "if=/dev/zero", "bs=64k", `of=${join(this.path, "ballast")}`);
  }

  free(): void {
    this.run("rm", join(this.path, "ballast"));
  }

  /** As its user: no other exists in its namespace. */
  private run(...command: string[]): void {
    Bun.spawnSync(command, {
      stdio: ["ignore", "ignore", "ignore"],
      ...(this.user === undefined ? {} : { uid: this.user, gid: this.user }),
    } as Parameters<typeof Bun.spawnSync>[1]);
  }

  async close(): Promise<void> {
    this.holder.kill();
    await this.holder.exited;
    rmSync(this.dir, { recursive: true, force: true });
  }
}
