// Summarizes an extraction as shapes: the author of the logic sees names and types of fields, but no value of a log.
import type { ParsedItem } from "../contract/atoms.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";

/** The extraction of Atom A on the observed logs: shapes and names, without values that would leak policy. */
export interface ExtractionShapes {
  records: number;
  files: number;
  /** Dotted paths of parsed_fields with the JSON types seen, e.g. `{ "slack": ["string"] }`. */
  fields: Record<string, string[]>;
  /** `COUNT x SHAPE`, runs of digits as 9 and of letters as a, most frequent first; then the number of omitted shapes. */
  value_shapes: string[];
}

const MAX_SHAPES = 20;
const MAX_SHAPE_CHARS = 80;
const MAX_FIELDS = 200;

/** Shapes and names of an extraction. Fields below lists are written with `[]`. Deterministic for equal items in equal
 * order. */
export function summarizeExtraction(items: readonly ParsedItem[]): ExtractionShapes {
  const fields = new Map<string, Set<string>>();
  const shapes = new Map<string, number>();
  const files = new Set<string>();
  for (const item of items) {
    files.add(item.source_file);
    for (const [key, value] of Object.entries(item.parsed_fields)) addField(fields, key, value);
    const shape = shapeOf(item.value);
    shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
  }
  const byCount = [...shapes].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const names = [...fields.keys()].sort();
  return {
    records: items.length,
    files: files.size,
    fields: Object.fromEntries(names.map((name) => [name, [...(fields.get(name) ?? [])].sort()])),
    value_shapes: [
      ...byCount.slice(0, MAX_SHAPES).map(([shape, count]) => `${count} x ${shape}`),
      ...(byCount.length > MAX_SHAPES ? [`and ${byCount.length - MAX_SHAPES} more shapes`] : []),
    ],
  };
}

function addField(fields: Map<string, Set<string>>, path: string, value: JsonValue): void {
  if (!fields.has(path) && fields.size >= MAX_FIELDS) return;
  const types = fields.get(path) ?? new Set<string>();
  fields.set(path, types.add(typeOf(value)));
  if (Array.isArray(value)) for (const entry of value) addField(fields, `${path}[]`, entry);
  else if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) addField(fields, `${path}.${key}`, inner);
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function shapeOf(text: string): string {
  const shape = text
    .slice(0, MAX_SHAPE_CHARS)
    .replace(/\p{Nd}+/gu, "9")
    .replace(/\p{L}+/gu, "a");
  return text.length > MAX_SHAPE_CHARS ? `${shape}…` : shape;
}
