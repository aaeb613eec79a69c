// HTML as tagged templates that escape whatever is put into them: nothing is trusted but what says so. Values stand
// in text and in quoted attributes, never in a script, a style or the name of a tag.
import { escapeHtml } from "./escape.ts";

/** Finished HTML. Made by `html`, `raw` and `joined` only. */
export class Html {
  private readonly markup: string;

  constructor(markup: string) {
    this.markup = markup;
  }

  toString(): string {
    return this.markup;
  }
}

type Value = string | number | Html | readonly Html[];

/** A template whose values are escaped, apart from those that are HTML already. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = parts.map((part, i) => part + (i < values.length ? markupOf(values[i] ?? "") : ""));
  return new Html(markup.join(""));
}

/** Text of the program itself, taken as it stands; never text of a log, a page, an atom or a config. */
export function raw(markup: string): Html {
  return new Html(markup);
}

/** Pieces with text between them. */
export function joined(pieces: readonly Html[], between: string): Html {
  return new Html(pieces.map(String).join(escapeHtml(between)));
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join("");
  return escapeHtml(String(value));
}
