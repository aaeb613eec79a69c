// One order from several: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009). Scores of different kinds
// cannot be compared, places can.

export type Kind = "full text" | "embeddings";

export interface Ranked {
  id: number;
  by: Kind[];
}

/** The constant of the paper: how little the first places count more than the next. */
const K = 60;

/** Ids by how high they stand in the lists, best first. */
export function ranked(lists: readonly (readonly [Kind, readonly number[]])[]): Ranked[] {
  const found = new Map<number, Ranked & { score: number }>();
  for (const [kind, ids] of lists) {
    ids.forEach((id, place) => {
      const entry = found.get(id) ?? { id, by: [], score: 0 };
      entry.score += 1 / (K + place + 1);
      entry.by.push(kind);
      found.set(id, entry);
    });
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .map(({ id, by }) => ({ id, by }));
}
