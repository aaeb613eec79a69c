// HTML as tagged templates that escape every value unless it is already `Html`. Values may be used in text and in quoted
// attributes, not in a script, a style or the name of a tag.
import { escapeHtml } from "./escape.ts";

/** Escaped HTML. Created by `html`, `raw` and `joined` only. */
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

/** Escapes the values of a template, except those that are `Html`. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = parts.map((part, i) => part + (i < values.length ? markupOf(values[i] ?? "") : ""));
  return new Html(markup.join(""));
}

/** Markup of the program itself, not escaped; never text of a log, a page, an atom or a config. */
export function raw(markup: string): Html {
  return new Html(markup);
}

/** Joins pieces with a text between them. */
export function joined(pieces: readonly Html[], between: string): Html {
  return new Html(pieces.map(String).join(escapeHtml(between)));
}

function markupOf(value: Value): string {
  if (value instanceof Html) return value.toString();
  if (Array.isArray(value)) return value.map(markupOf).join("");
  return escapeHtml(String(value));
}
