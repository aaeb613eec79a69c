// Stored form of a hint: the user's text, followed by the question that it answers. The question is the model's text
// and must not count as a statement of the user.

const QUESTION_MARK = " (asked was: ";

/** Appends the questions that the hint answers: a hint such as "yes" has no meaning without them. */
export function withQuestions(hint: string, questions: readonly string[]): string {
  return questions.length === 0 ? hint : `${hint}${QUESTION_MARK}${questions.join(" ")})`;
}

/** The user's text without the question. */
export function userText(hint: string): string {
  const index = hint.indexOf(QUESTION_MARK);
  return index < 0 ? hint : hint.slice(0, index);
}
