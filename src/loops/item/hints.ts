// A hint as it is kept: the words of the person, and behind them the question that they answer, which are not theirs.

const ASKED = " (asked was: ";

/** The hint with the questions it answers, so that "yes" says something. */
export function answering(hint: string, questions: readonly string[]): string {
  return questions.length === 0 ? hint : `${hint}${ASKED}${questions.join(" ")})`;
}

/** What the person said, without the question: only that counts as said. */
export function personsWords(hint: string): string {
  const at = hint.indexOf(ASKED);
  return at < 0 ? hint : hint.slice(0, at);
}
