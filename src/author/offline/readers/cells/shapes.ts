// What the texts of a column say for the name of a part: few texts for a state, folders for a home, times for a date. General
// words of logs and tables only.

import type { Hint } from "../../page/page.ts";
import type { Cell } from "./cut.ts";

export interface Column {
  /** The cell of the page's example. */
  cell: Cell;
  /** The texts of all rows. */
  texts: readonly string[];
}

interface Shape {
  /** Names that it is about. */
  names: RegExp;
  /** Texts of this form ... */
  form: RegExp;
  /** ... in more than this share of the rows, 0 to 1. */
  above: number;
  /** What it counts when they are, and when they are not. */
  yes: number;
  no: number;
}

const NUMBER = /^[-+]?\d[\d.,]*\s?%?$/;
const FEW_TEXTS = last(
  "state status result action type kind level severity protocol proto class category mode disposition verdict outcome zone country unit",
);
const NUMERIC = last(
  "uid gid pid ppid port count number seconds secs duration size bytes packets minute hour day days week age maximum minimum max min limit weight priority prio score percent rate pressure temperature amount total quantity qty line col column row uptime rtt latency depth length width height year month",
);
const NAMES = last(
  "account user username login owner name host hostname group program service job device node vendor town city",
);
const TEXTS = last(
  "comment remark message text description full_name real_name gecos reason note title what",
);
const TIMES = last(
  "time date when day since until joined created changed modified updated expires expiry elapsed started ended first_seen last_seen stamp timestamp",
);
const SHELL = /^\/(?:\S*\/)?(?:\w*sh|nologin|false)$/;
const HOME = /(?:^|_)home(?:_dir\w*)?$|^(?:home_)?(?:directory|folder)$/;
const LISTED = last("options opts flags members groups roles features tags list lists");

/** Each that is about a name counts. */
const SHAPES: readonly Shape[] = [
  { names: FEW_TEXTS, form: /^[/~]|\d{4}-\d\d/, above: 0.3, yes: -2, no: 0 },
  { names: NUMERIC, form: NUMBER, above: 0.8, yes: 2, no: 0 },
  { names: NUMERIC, form: NUMBER, above: 0.2, yes: 0, no: -3 },
  // "0644" and "rwxr-x---" are modes, no states.
  {
    names: last("mode permission permissions rights"),
    form: /^0?[0-7]{3,4}$|^[dl-]?[rwxsStT-]{3,10}$/,
    above: 0.8,
    yes: 3,
    no: 0,
  },
  { names: last("code status rc"), form: /^\d{1,4}$/, above: 0.8, yes: 1.5, no: 0 },
  { names: NAMES, form: /^\d|^[/~]/, above: 0.4, yes: -2.5, no: 0 },
  { names: NAMES, form: /^[A-Za-z_][\w.$-]*$/, above: 0.8, yes: 1, no: 0 },
  { names: TEXTS, form: /\s/, above: 0.2, yes: 1.5, no: 0 },
  { names: TEXTS, form: /^[/~]|^\d+$/, above: 0.5, yes: -3, no: 0 },
  { names: LISTED, form: /[,=]/, above: 0.2, yes: 2, no: 0 },
  { names: LISTED, form: /\/|^\d+$/, above: 0.5, yes: -1.5, no: 0 },
  { names: TIMES, form: /\d[:/-]\d|^1[4-9]\d{8}$/, above: 0.7, yes: 3, no: 0 },
  { names: TIMES, form: /\d/, above: 0.7, yes: 0, no: -1.5 },
  {
    names: last("instance inst pin net hierarchy scope endpoint startpoint"),
    form: /[^/]\/[^/]|\w\.\w/,
    above: 0.5,
    yes: 1.5,
    no: 0,
  },
  // Programs that take commands end in "sh", or take none; a home is a folder.
  { names: /(?:^|_)shell$/, form: SHELL, above: 0.1, yes: 3, no: -2 },
  { names: HOME, form: SHELL, above: 0.1, yes: -4, no: 0 },
  { names: HOME, form: /^\//, above: 0.5, yes: 2, no: -2 },
  // A method is nothing else.
  {
    names: /^(?!.*(?:method|verb|request))/,
    form: /^(?:GET|POST|HEAD|PUT|DELETE|CONNECT|OPTIONS|PATCH)$/,
    above: 0.8,
    yes: -3,
    no: 0,
  },
];

/** Names that end with one of the words. */
function last(words: string): RegExp {
  return new RegExp(`(?:^|_)(?:${words.replace(/ /g, "|")})$`);
}

/** What the texts of all rows say for a part. */
export function shapeOf(hint: Hint, texts: readonly string[], at: number, all: readonly Column[]): number {
  if (texts.length === 0) return -1;
  const { name } = hint;
  const share = (form: RegExp): number => texts.filter((text) => form.test(text)).length / texts.length;
  let score = prefixed(name, texts) + beside(name, at, all);
  for (const { names, form, above, yes, no } of SHAPES)
    if (names.test(name)) score += share(form) > above ? yes : no;
  const few = new Set(texts).size <= Math.max(3, texts.length / 3);
  if (FEW_TEXTS.test(name) && few && share(NUMBER) < 0.5) score += 1.5;
  // A time in seconds is nothing else.
  if (hint.kind !== "time" && share(/^1[4-9]\d{8}(?:\.\d+)?$/) > 0.8) score -= 3;
  if (/mail/i.test(`${name} ${hint.description}`)) score += share(/^[^\s@]+@[^\s@]+$/) > 0.7 ? 5 : -2;
  return score;
}

/** Parts that stand side by side: of two numbers that of the user is the first and that of the group the second, and so are their
 * names. Names head their rows. */
function beside(name: string, at: number, all: readonly Column[]): number {
  const every = (index: number, form: RegExp): boolean => {
    const filled = (all[index]?.texts ?? []).filter((text) => text !== "");
    return filled.length > 0 && filled.every((text) => form.test(text));
  };
  const [id, plain] = [/^-?\d+$/, /^[A-Za-z_][\w.$-]*$/];
  let score = NAMES.test(name) && at === 0 ? 0.8 : 0;
  if (/^(?:uid|user_?id|user_number)$/.test(name) && every(at, id) && every(at + 1, id)) score += 2;
  if (/^(?:gid|group_?id|group_number)$/.test(name) && every(at, id))
    score += every(at - 1, id) ? 2 : every(at + 1, id) ? 0 : 1;
  if (/(?:owner|user)$/.test(name) && every(at, plain) && every(at + 1, plain)) score += 1;
  if (/group$/.test(name) && every(at - 1, plain) && every(at, plain)) score += 1;
  return score;
}

/** "PAD_7" for the pad, "node9" for the node: texts that begin with their name and go on with a number or a mark. */
export function prefixed(name: string, texts: readonly string[]): number {
  const word = name.split("_").at(-1) ?? "";
  if (word.length < 3) return 0;
  const form = new RegExp(`^${word}s?(?:[-_:. ]?\\d|[-_:.]\\w)`, "i");
  return texts.filter((text) => form.test(text)).length > 0.6 * texts.length ? 2 : 0;
}
