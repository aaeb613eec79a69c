// Runs as a command, in place of a build: a program of an attacker that has the whole of Node. Tries everything and
// prints one JSON line of what worked. argv[2] is the JSON of what to aim at.
const aim = JSON.parse(process.argv[2]);
const fs = require("node:fs");
const net = require("node:net");
const dgram = require("node:dgram");
const dns = require("node:dns");

const outside = (name) => `${aim.outside}/${name}`;

const attempts = {
  "write a new file outside": () => fs.writeFileSync(outside("new"), "x"),
  "change a file outside": () => fs.appendFileSync(outside("secret.txt"), "x"),
  "empty a file outside": () => fs.truncateSync(outside("secret.txt"), 0),
  "open a file outside to empty it": () =>
    fs.closeSync(fs.openSync(outside("secret.txt"), fs.constants.O_RDONLY | fs.constants.O_TRUNC)),
  "delete a file outside": () => fs.unlinkSync(outside("victim.txt")),
  "make a folder outside": () => fs.mkdirSync(outside("dir")),
  "write through a symbolic link": () => {
    fs.symlinkSync(outside("secret.txt"), "link-out");
    fs.appendFileSync("link-out", "x");
  },
  "write through a link to a folder": () => {
    fs.symlinkSync(aim.outside, "folder-out");
    fs.writeFileSync("folder-out/through", "x");
  },
  "hard link to a file outside": () => fs.linkSync(outside("secret.txt"), "hard-link"),
  "move a file in from outside": () => fs.renameSync(outside("moved.txt"), "moved-in"),
  "move a file out": () => {
    fs.writeFileSync("mine", "x");
    fs.renameSync("mine", outside("moved-out"));
  },
  "read a hidden file": () => fs.readFileSync(aim.hidden),
  "read a hidden file through a link": () => {
    fs.symlinkSync(aim.hidden, "link-hidden");
    fs.readFileSync("link-hidden");
  },
  "hard link to a hidden file": () => fs.linkSync(aim.hidden, "hard-hidden"),
  "write to shared memory": () => {
    const file = `/dev/shm/drill-${process.pid}`;
    fs.writeFileSync(file, "x");
    fs.rmSync(file);
  },
  "write a kernel setting": () => fs.writeFileSync("/proc/sys/kernel/domainname", "x"),
  "make the parent the victim of memory shortage": () =>
    fs.writeFileSync(`/proc/${aim.parent}/oom_score_adj`, "0"),
  "read the parent's environment": () => fs.readFileSync(`/proc/${aim.parent}/environ`),
  "read the supervisor's environment": () => fs.readFileSync(`/proc/${process.ppid}/environ`),
  "read the parent's memory": () => fs.openSync(`/proc/${aim.parent}/mem`, "r"),
  "open a file that the parent has open": () => fs.openSync(`/proc/${aim.parent}/fd/${aim.fd}`, "r"),
  "open the parent's root": () => fs.readdirSync(`/proc/${aim.parent}/root/`),
  "use a descriptor of the parent": () => {
    if (fs.fstatSync(aim.fd).ino !== aim.ino) throw new Error("another file");
  },
  "open a terminal": () => fs.openSync("/dev/ptmx", "r+"),
  "open the controlling terminal": () => fs.openSync("/dev/tty", "r+"),
  "signal the parent": () => process.kill(aim.parent, 0),
  "signal the supervisor": () => process.kill(process.ppid, 0),
  "signal process 1": () => process.kill(1, 0),
  "connect by TCP": () => once((done) => net.connect(aim.port, "127.0.0.1").on("connect", done)),
  "listen by TCP": () =>
    once((done, fail) => net.createServer().on("error", fail).listen(0, "127.0.0.1", done)),
  "send by UDP": () =>
    once((done, fail) => {
      const socket = dgram.createSocket("udp4").on("error", fail);
      socket.send("x", aim.port, "127.0.0.1", (error) => (error ? fail(error) : done()));
    }),
  "ask a name server": () =>
    once((done, fail) => {
      dns.setServers([`127.0.0.1:${aim.udp}`]);
      dns.resolve4("drill.invalid", (error) => (error?.code === "ENOTFOUND" ? done() : fail(error)));
    }),
  "connect to a Unix socket": () => once((done) => net.connect(aim.socket).on("connect", done)),
  "connect to an abstract socket": () => once((done) => net.connect(aim.abstract).on("connect", done)),
  "change rights of a file outside": () => fs.chmodSync(outside("secret.txt"), 0o777),
  "change times of a file outside": () => fs.utimesSync(outside("secret.txt"), 1, 1),
  "size of a file outside": () => fs.statSync(outside("secret.txt")),
  "command line of the parent": () => fs.readFileSync(`/proc/${aim.parent}/cmdline`),
};

/** Resolves with `done`, rejects on error or after a second; errors of sockets count as refusals. */
function once(start) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("no answer")), 1000);
    const handle = start(resolve, reject);
    handle?.on?.("error", reject);
  });
}

(async () => {
  const result = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      result[name] = "possible";
    } catch (error) {
      result[name] = `denied ${error.code ?? error.message}`;
    }
  }
  fs.writeSync(1, `DRILL ${JSON.stringify(result)}\n`);
  process.exit(0);
})();
