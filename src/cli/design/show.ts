// `design show`: what stands in a project. Takes no lock and changes nothing; what a killed process left is shown as
// the next command will find it.
import { join } from "node:path";
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import {
  OWN_FOLDER,
  ProjectReader,
  type ProjectState,
  REPORTS,
  type Run,
  readIndex,
} from "../../loops/design/index.ts";
import { visible } from "../../report/index.ts";
import { RunReader } from "../../store/index.ts";
import type { CommandContext } from "../context.ts";
import { runText, stateText } from "./render.ts";

const TOPICS = ["spec", "patches", "runs", "artifacts", "history", "state"] as const;
type Topic = (typeof TOPICS)[number];

export async function show(
  dir: string,
  words: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  const [topic = "", id] = words;
  if (!isTopic(topic)) {
    throw new AtomsmithError(
      "usage",
      `show ${topic}: not one of ${TOPICS.join(", ")}${didYouMean(topic, TOPICS)}`,
    );
  }
  const found = topic === "spec" || topic === "state" ? refuseId(topic, id) : id;
  const view = new View(new ProjectReader(dir), await isHeld(dir));
  const value = view.of(topic, found);
  context.output.result({ [topic]: value }, (style) => {
    if (topic === "runs")
      return (
        (Array.isArray(value) ? value : [value])
          .map((run) => runText(run as Run, { dir }, style))
          .join("\n") || "no run yet"
      );
    if (topic === "state") return stateText(value as ProjectState, style, `--project-dir ${dir}`);
    return visible(JSON.stringify(value, null, 2));
  });
  return EXIT.ok;
}

/** Does a living process work on the project? */
function isHeld(dir: string): Promise<boolean> {
  return new RunReader(join(dir, OWN_FOLDER), { loop: "design", id: "project" }).isLocked();
}

class View {
  private readonly reader: ProjectReader;
  private readonly held: boolean;

  constructor(reader: ProjectReader, held: boolean) {
    this.reader = reader;
    this.held = held;
  }

  of(topic: Topic, id: string | undefined): unknown {
    const { reader } = this;
    switch (topic) {
      case "spec":
        return JSON.parse(reader.text("spec.json") ?? "null");
      case "patches":
        return id === undefined ? reader.patchIds().map((one) => reader.patch(one)) : reader.patch(id);
      case "runs":
        return id === undefined ? reader.runIds().map((one) => this.run(one)) : this.run(this.runId(id));
      case "artifacts": {
        const index = readIndex(reader.text(join(REPORTS, "artifact_index.json")));
        if (id === undefined) return index;
        const wanted = this.runId(id);
        return index.runs.find(({ run_id }) => run_id === wanted) ?? null;
      }
      case "history":
        return id === undefined
          ? reader.versions().map((number) => reader.version(number))
          : this.version(id);
      default:
        return this.state();
    }
  }

  private state(): ProjectState {
    const { state } = this.reader;
    const isUnderWay = state.state === "PROCESSING" || state.state === "RUNNING";
    return isUnderWay && !this.held ? { ...state, state: "ERROR" } : state;
  }

  private run(id: string): Run {
    const run = this.reader.run(id);
    return run.status === "running" && !this.held ? { ...run, status: "interrupted" } : run;
  }

  private runId(text: string): string {
    const number = /^(?:run_)?(\d+)$/.exec(text)?.[1];
    const found = this.reader.runIds().find((id) => Number(id.replace(/\D/g, "")) === Number(number));
    if (found !== undefined) return found;
    throw new AtomsmithError("usage", `there is no run ${text} in this project`);
  }

  private version(text: string): unknown {
    const number = Number(text);
    if (/^\d+$/.test(text) && this.reader.versions().includes(number)) return this.reader.version(number);
    throw new AtomsmithError("usage", `there is no version ${text} of the spec`);
  }
}

function isTopic(text: string): text is Topic {
  return TOPICS.some((topic) => topic === text);
}

function refuseId(topic: Topic, id: string | undefined): undefined {
  if (id !== undefined) throw new AtomsmithError("usage", `show ${topic} takes no ID`);
  return undefined;
}
