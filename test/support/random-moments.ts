// Random moments of the kill tests: their number, and a seed that is printed, so that a failing run can be repeated.
//   ATOMSMITH_KILLS=200 ATOMSMITH_SEED=7 bun test test/loops/factory/kill.long.test.ts

/** Number of kills or random runs of a test: its own number, or `ATOMSMITH_KILLS` for a long run. */
export function repeats(usual: number): number {
  return Number(process.env["ATOMSMITH_KILLS"] ?? usual);
}

/** A random selection of a list in its order; all of it in a long run (`ATOMSMITH_KILLS` of their number). */
export function someOf<T>(list: readonly T[], usual: number, name: string): T[] {
  const random = randomNumbers(name);
  const remaining = [...list];
  while (remaining.length > repeats(usual)) remaining.splice(Math.floor(random() * remaining.length), 1);
  return remaining;
}

/** `ATOMSMITH_SEED`, else a new seed in each run. */
export const SEED = Number(process.env["ATOMSMITH_SEED"] ?? Math.floor(Math.random() * 1e9));

/** Random numbers in [0, 1) from the seed, which is printed with the name of the test. */
export function randomNumbers(test: string): () => number {
  process.stderr.write(`${test}: ATOMSMITH_SEED=${SEED}\n`);
  let state = SEED >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
