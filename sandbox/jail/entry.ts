// The first thing the program imports: started with JAIL_FLAG it is a launcher, not a command, and ends here.
// Costs nothing otherwise.
export const JAIL_FLAG = "--atomsmith-jail";

if (process.argv[2] === JAIL_FLAG) {
  // Loaded only now and at once: execve replaces the process while this module is evaluated.
  const launcher = require("./launcher.ts") as typeof import("./launcher.ts");
  launcher.becomeChild(process.argv[3] ?? "");
}
