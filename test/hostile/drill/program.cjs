// Runs in the jail in place of the sandbox program: an escape that has the whole of Node. Tries everything and
// prints one JSON line of what worked. argv[2] is the JSON of what to aim at.
const aim = JSON.parse(process.argv[2]);
const fs = require("node:fs");
const net = require("node:net");
const dgram = require("node:dgram");
const childProcess = require("node:child_process");

const attempts = {
  "read a file (/etc/passwd)": () => fs.readFileSync("/etc/passwd"),
  "read a file of the user": () => fs.readFileSync(aim.secret),
  "read another process's environment": () => fs.readFileSync(`/proc/${aim.parent}/environ`),
  "list a folder (/)": () => fs.readdirSync("/"),
  "list the runtime folder": () => fs.readdirSync(aim.folder),
  "size and owner of a file (stat)": () => fs.statSync(aim.secret),
  "existence of a file (access)": () => fs.accessSync(aim.secret),
  "target of a link (readlink)": () => fs.readlinkSync(aim.link),
  "write a new file": () => fs.writeFileSync(`${aim.folder}/drill-${process.pid}`, "x"),
  "change a file": () => fs.appendFileSync(aim.secret, "x"),
  "delete a file": () => fs.unlinkSync(aim.victim),
  "make a folder": () => fs.mkdirSync(`${aim.folder}/drill-dir-${process.pid}`),
  "change rights of a file": () => fs.chmodSync(aim.secret, 0o600),
  "make a link": () => fs.symlinkSync("/etc/passwd", `${aim.folder}/drill-link-${process.pid}`),
  "connect by TCP": () => once((done) => net.connect(aim.port, "127.0.0.1").on("connect", done)),
  "listen by TCP": () =>
    once((done, fail) => net.createServer().on("error", fail).listen(0, "127.0.0.1", done)),
  "send by UDP": () =>
    once((done, fail) => {
      const socket = dgram.createSocket("udp4").on("error", fail);
      socket.send("x", aim.port, "127.0.0.1", (error) => (error ? fail(error) : done()));
    }),
  "connect to a Unix socket": () => once((done) => net.connect(aim.socket).on("connect", done)),
  "connect to an abstract socket": () => once((done) => net.connect(aim.abstract).on("connect", done)),
  "listen on a Unix socket": () =>
    once((done, fail) =>
      net.createServer().on("error", fail).listen(`${aim.folder}/d-${process.pid}.sock`, done),
    ),
  "start a program": () => {
    const done = childProcess.spawnSync("/bin/true");
    if (done.error) throw done.error;
  },
  "start the runtime again": () => {
    const done = childProcess.spawnSync(process.execPath, ["--version"]);
    if (done.error) throw done.error;
  },
  "signal the parent": () => process.kill(aim.parent, 0),
  "signal process 1": () => process.kill(1, 0),
  "run WebAssembly": () => new WebAssembly.Memory({ initial: 1 }),
};

/** Resolves with `done`, rejects on error or after a second; errors of sockets count as refusals. */
function once(start) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("no answer")), 1000).unref();
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
  // Not process.stdout: even looking at what kind of pipe that is takes calls that are refused.
  fs.writeSync(1, `\nDRILL ${JSON.stringify(result)}\n`);
  process.exit(0);
})();
