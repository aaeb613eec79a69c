// Preview screen: the records that the examples extract from all logs, similar lines, or the one undecided line.
import { count } from "../../core/words.ts";
import type { LogLine, Preview, PreviewRecord } from "../../label/session.ts";
import type { WorkedExample } from "../../spec/index.ts";
import { formatExample } from "../../spec/index.ts";
import type { Key } from "../io.ts";
import type { LabelApp, Screen, View } from "./app.ts";
import { CheckScreen } from "./check.ts";
import { ScrolledList } from "./list.ts";
import { MarkScreen } from "./mark.ts";

type Row = LogLine & { record?: PreviewRecord; why?: string };

export class PreviewScreen implements Screen {
  private readonly app: LabelApp;
  private readonly preview: Preview;
  private readonly records: ScrolledList<Row>;
  private readonly others: ScrolledList<Row>;
  private showsOthers = false;

  constructor(app: LabelApp) {
    this.app = app;
    this.preview = app.session.preview();
    const { preview } = this;
    const records =
      preview.kind === "records" ? preview.records.map((record) => ({ ...record, record })) : [];
    const others = preview.kind === "records" ? preview.others : [];
    this.records = new ScrolledList<Row>(
      () => records,
      ({ file, line, record }) => `${file}:${line}  ${record === undefined ? "" : recordText(record)}`,
    );
    this.others = new ScrolledList<Row>(
      () => others,
      ({ file, line, text, why }) => `${file}:${line}  ${text.trim()}  (${why})`,
    );
  }

  view(columns: number, rows: number): View {
    const { preview } = this;
    const undo = this.app.session.own.length > 0 ? [["u", "undo the last example"] as const] : [];
    const back = [...undo, ["Esc", "lines"] as const];
    if (preview.kind === "records") return this.viewRecords(preview, rows, back);
    if (preview.kind === "question") return this.viewQuestion(preview, columns, back);
    if (preview.kind === "contradiction") {
      const texts = preview.examples.flatMap((example) => ["", ...indented(formatExample(example))]);
      return { title: `no result: ${preview.message}`, body: texts.slice(0, rows), keys: back };
    }
    return { title: "no example contains a record yet", body: [], keys: back };
  }

  private viewRecords(
    { records, others }: Preview & { kind: "records" },
    rows: number,
    back: View["keys"],
  ): View {
    const { style, session } = this.app;
    const files = new Set(records.map(({ file }) => file)).size;
    const list = this.showsOthers ? this.others : this.records;
    const chosen = list.chosen;
    const title = this.showsOthers
      ? `${count(others.length, "line")} left out: is none of them a record?`
      : `${count(records.length, "record")} in ${count(files, "file")}: are they right?`;
    return {
      title,
      body: [
        ...list
          .lines(rows - 3, style)
          .concat(Array.from({ length: rows }, () => ""))
          .slice(0, rows - 2),
        "",
        style.dim(`  ${chosen?.text.trim() ?? ""}`),
      ],
      keys: [
        ["↑↓", "look"],
        ["/", "filter"],
        ["Enter", this.showsOthers ? "this is a record" : "this is wrong"],
        ["Tab", this.showsOthers ? "records" : `${count(others.length, "line")} left out`],
        ...(session.own.length > 0 ? [["w", "write the examples"] as const] : []),
        ...back,
      ],
    };
  }

  private viewQuestion(
    { at, readings }: Preview & { kind: "question" },
    columns: number,
    back: View["keys"],
  ): View {
    const blocks = readings.flatMap((reading, index) => {
      const [first = "", ...rest] = readingText(reading, columns);
      return [`  ${index + 1}  ${first}`, ...rest.map((line) => `     ${line}`), ""];
    });
    const lines = readings[0]?.text.split("\n") ?? [];
    return {
      title: `${at.file}:${at.line}  which reading is right?`,
      body: ["", ...lines.map((line) => `  ${line}`), "", ...blocks],
      keys: [
        ...readings.map((_, index) => [`${index + 1}`, "this one"] as const),
        ["e", "mark it manually"],
        ...back,
      ],
    };
  }

  key(key: Key): void {
    const { app, preview } = this;
    if (preview.kind === "records" && (this.showsOthers ? this.others : this.records).key(key)) return;
    if (key.name === "escape") app.goTo();
    else if (key.text === "u" && app.session.own.length > 0) {
      app.session.undo();
      this.reopen();
    } else if (preview.kind === "records") this.keyOfRecords(key);
    else if (preview.kind === "question") this.keyOfQuestion(key, preview);
  }

  private keyOfRecords({ name, text }: Key): void {
    const { app } = this;
    if (name === "tab") this.showsOthers = !this.showsOthers;
    else if (text === "w" && app.session.own.length > 0) app.push(new CheckScreen(app));
    else if (name === "return" || name === "enter") {
      const row = (this.showsOthers ? this.others : this.records).chosen;
      if (row !== undefined) this.mark(row, row.record);
    }
  }

  private keyOfQuestion({ text }: Key, { at, readings }: Preview & { kind: "question" }): void {
    const chosen = readings[Number(text) - 1];
    if (chosen !== undefined) {
      this.app.session.add(chosen);
      this.reopen();
    } else if (text === "e") {
      const [record] = readings.flatMap(({ records }) => records);
      const fields = new Map([...(record?.fields ?? [])].map(([name, field]) => [name, field.text]));
      this.mark(at, record && { value: record.value.text, fields: Object.fromEntries(fields) });
    }
  }

  private mark({ file, line }: LogLine, read: Pick<PreviewRecord, "value" | "fields"> | undefined): void {
    const start = {
      file,
      line,
      ...(read === undefined ? {} : { value: read.value, fields: new Map(Object.entries(read.fields)) }),
    };
    this.app.push(new MarkScreen(this.app, start, () => this.reopen()));
  }

  private reopen(): void {
    this.app.goTo(new PreviewScreen(this.app));
  }
}

function recordText({ value, fields }: PreviewRecord): string {
  return [value, ...Object.entries(fields).map(([name, text]) => `${name}=${text}`)].join("  ");
}

function readingText({ records }: WorkedExample, columns: number): string[] {
  const [record] = records;
  if (record === undefined) return ["not a record"];
  const entries = [
    ["value", record.value.text] as const,
    ...[...record.fields].map(([name, field]) => [name, field.text] as const),
  ];
  return ["record:", ...entries.map(([name, text]) => `  ${name}: ${text}`.slice(0, columns))];
}

function indented(text: string): string[] {
  return text.split("\n").map((line) => `  ${line}`);
}
