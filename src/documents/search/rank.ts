// Combines several rankings: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Scores of different kinds
// cannot be compared, but ranks can.

export type Kind = "full text" | "embeddings";

export interface Ranked {
  id: number;
  by: Kind[];
}

/** The constant of the paper, which reduces the weight of the first ranks. */
const K = 60;

/** Ids by their ranks in the lists, best first. */
export function ranked(lists: readonly (readonly [Kind, readonly number[]])[]): Ranked[] {
  const entries = new Map<number, Ranked & { score: number }>();
  for (const [kind, ids] of lists) {
    ids.forEach((id, place) => {
      const entry = entries.get(id) ?? { id, by: [], score: 0 };
      entry.score += 1 / (K + place + 1);
      entry.by.push(kind);
      entries.set(id, entry);
    });
  }
  return [...entries.values()]
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id, by }) => ({ id, by }));
}
