// The first thing the program imports: started with JAIL_FLAG it is a launcher, not a command, and ends here.
// Costs nothing otherwise.
export const JAIL_FLAG = "--atomsmith-jail";

if (process.argv[2] === JAIL_FLAG) {
  // Loaded only now and at once: execve replaces the process while that module is evaluated.
  require("./launcher.ts");
}
