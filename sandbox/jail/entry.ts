// The first thing the program imports: started with JAIL_FLAG it is a launcher, with SUPERVISE_FLAG the supervisor
// of a command; neither comes back. Costs nothing otherwise.
export const JAIL_FLAG = "--atomsmith-jail";
export const SUPERVISE_FLAG = "--atomsmith-supervise";

if (process.argv[2] === JAIL_FLAG) {
  // Loaded only now and at once: execve replaces the process while that module is evaluated.
  require("./launcher.ts");
}
if (process.argv[2] === SUPERVISE_FLAG) {
  const { supervise } = await import("./supervisor.ts");
  // Ends the process; until then nothing behind this import may run.
  await supervise(process.argv[3] ?? "");
}
