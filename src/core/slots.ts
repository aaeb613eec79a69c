// Counting semaphores: at most so many of one kind of work at once, first come first served.

export interface Slots {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** `count` places; whoever finds none waits in line. */
export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
