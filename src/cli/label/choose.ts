// Screen to choose a record line: lists the kinds of lines in the logs, each with its first line, or all lines.
import { count } from "../../core/words.ts";
import type { Key } from "../io.ts";
import type { LabelApp, Screen, View } from "./app.ts";
import { CheckScreen } from "./check.ts";
import { ScrolledList } from "./list.ts";
import { MarkScreen } from "./mark.ts";
import { PreviewScreen } from "./preview.ts";

interface Row {
  file: string;
  line: number;
  /** Number of lines of this kind; undefined in the list of all lines. */
  count: number | undefined;
  text: string;
}

/** Opens the preview of the examples' records. */
export function toPreview(app: LabelApp): void {
  app.goTo(new PreviewScreen(app));
}

export class ChooseScreen implements Screen {
  private readonly app: LabelApp;
  private readonly kinds: ScrolledList<Row>;
  private readonly lines: ScrolledList<Row>;
  private all = false;

  constructor(app: LabelApp) {
    this.app = app;
    const { session } = app;
    const shown = (row: Row): string =>
      row.count === undefined
        ? `${row.file}:${row.line}  ${row.text}`
        : `${`${row.count}×`.padStart(7)}  ${row.text}`;
    const kinds = once(
      () => session.kinds(),
      (all) =>
        all.map(({ file, at, count, line }): Row => {
          return { file: session.logs[file]?.path ?? "", line: at + 1, count, text: line.trim() };
        }),
    );
    const lines = once(
      () => session.logs,
      (logs) =>
        logs.flatMap(({ path, lines: all }) =>
          all.flatMap((text, index): Row[] =>
            text.trim() === "" ? [] : [{ file: path, line: index + 1, count: undefined, text }],
          ),
        ),
    );
    this.kinds = new ScrolledList(kinds, shown);
    this.lines = new ScrolledList(lines, shown);
  }

  view(_columns: number, rows: number): View {
    const { session, style } = this.app;
    const examples = session.examples.length;
    const logs = session.logs.map(({ path }) => path);
    const named =
      logs.length > 3 ? `${logs.slice(0, 3).join(", ")} and ${logs.length - 3} more` : logs.join(", ");
    const list = this.all ? this.lines : this.kinds;
    const body =
      logs.length === 0
        ? ["", "  No log is open. Press o to open one below the search root."]
        : list.lines(rows - 2, style);
    return {
      title: `${session.page.spec.id}: which line is a record?`,
      body: [style.dim(`  ${named}`), "", ...body],
      keys: [
        ["↑↓", "choose"],
        ["Enter", "mark"],
        ["/", "filter"],
        ["l", this.all ? "kinds of lines" : "all lines"],
        ["o", "open a log"],
        ...(examples > 0 ? [["p", `preview ${count(examples, "example")}`] as const] : []),
        ["q", "quit"],
      ],
    };
  }

  async key(key: Key): Promise<void> {
    const list = this.all ? this.lines : this.kinds;
    if (list.key(key)) return;
    const { app } = this;
    if (key.name === "return" || key.name === "enter") {
      const row = list.chosen;
      if (row !== undefined) app.push(new MarkScreen(app, row, () => toPreview(app)));
    } else if (key.text === "l") this.all = !this.all;
    else if (key.text === "o") app.push(await FilesScreen.open(app));
    else if (key.text === "p" && app.session.examples.length > 0) toPreview(app);
    else if (key.text === "q" || key.name === "escape") app.push(new QuitScreen(app));
  }
}

/** Caches the rows of a source until the source changes. */
function once<T>(source: () => T, make: (from: T) => Row[]): () => Row[] {
  let known: { from: T; rows: Row[] } | undefined;
  return () => {
    const from = source();
    if (known?.from !== from) known = { from, rows: make(from) };
    return known.rows;
  };
}

/** The files below the search root. */
export class FilesScreen implements Screen {
  private readonly app: LabelApp;
  private readonly list: ScrolledList<string>;
  private readonly more: boolean;

  private constructor(app: LabelApp, paths: readonly string[], more: boolean) {
    this.app = app;
    this.list = new ScrolledList(
      () => paths,
      (path) => path,
    );
    this.more = more;
  }

  static async open(app: LabelApp): Promise<FilesScreen> {
    const { paths, more } = await app.session.files();
    return new FilesScreen(app, paths, more);
  }

  view(_columns: number, rows: number): View {
    return {
      title: `which log is ${this.app.session.page.spec.id} about?${this.more ? " (list truncated)" : ""}`,
      body: this.list.lines(rows, this.app.style),
      keys: [
        ["↑↓", "choose"],
        ["/", "filter"],
        ["Enter", "open"],
        ["Esc", "back"],
      ],
    };
  }

  async key(key: Key): Promise<void> {
    if (this.list.key(key)) return;
    if (key.name === "escape") this.app.pop();
    if (key.name !== "return" && key.name !== "enter") return;
    const path = this.list.chosen;
    if (path === undefined) return;
    if (await this.app.session.addLog(path)) this.app.pop();
    else this.app.say(`${path} cannot be read as text.`);
  }
}

/** Leaves, or asks about unsaved examples. */
class QuitScreen implements Screen {
  private readonly app: LabelApp;

  constructor(app: LabelApp) {
    this.app = app;
    if (app.session.own.length === 0) app.leave({ write: false });
  }

  view(): View {
    return {
      title: count(this.app.session.own.length, "unsaved example"),
      body: [],
      keys: [
        ["w", "write and quit"],
        ["q", "quit without saving"],
        ["Esc", "back"],
      ],
    };
  }

  key({ name, text }: Key): void {
    if (text === "w") this.app.push(new CheckScreen(this.app));
    else if (text === "q") this.app.leave({ write: false });
    else if (name === "escape") this.app.pop();
  }
}
