// The page without the sentences that the rules do already: what they say is no reason for a doubt any more.

import { negativeStems, type Page } from "../page/page.ts";
import { quotedIn } from "../page/text.ts";

/** The page as it is left when some of its sentences are settled. */
export function openPage(page: Page, settled: ReadonlySet<string>): Page {
  if (settled.size === 0) return page;
  const without = (statements: Page["statements"]): Page["statements"] =>
    statements.map((one) => ({ ...one, sentences: one.sentences.filter(({ text }) => !settled.has(text)) }));
  const statements = without(page.statements);
  const sourceStatements = without(page.sourceStatements);
  const quoted = new Set([...settled].flatMap((text) => quotedIn(text).map((span) => span.text)));
  return {
    ...page,
    statements,
    sourceStatements,
    unwanted: page.unwanted.filter((text) => !quoted.has(text)),
    unwantedStems: negativeStems([...statements, ...sourceStatements], page.groups),
    wishes: page.wishes.filter(({ text }) => !settled.has(text)),
    rules: page.rules.filter((rule) => rule.said === undefined || !settled.has(rule.said)),
  };
}
