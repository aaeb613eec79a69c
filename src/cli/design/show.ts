// `design show`: prints parts of a project.
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { didYouMean } from "../../core/suggest.ts";
import { type ProjectState, ProjectView, type Run } from "../../loops/design/index.ts";
import { visible } from "../../report/index.ts";
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
      `show ${topic}: expected one of ${TOPICS.join(", ")}${didYouMean(topic, TOPICS)}`,
    );
  }
  const found = topic === "spec" || topic === "state" ? refuseId(topic, id) : id;
  const value = shown(await ProjectView.open(dir), topic, found);
  context.output.result({ [topic]: value }, (style) => {
    if (topic === "runs")
      return (
        (Array.isArray(value) ? value : [value])
          .map((run) => runText(run as Run, { dir }, style))
          .join("\n") || "no runs yet"
      );
    if (topic === "state") return stateText(value as ProjectState, style, `--project-dir ${dir}`);
    return visible(JSON.stringify(value, null, 2));
  });
  return EXIT.ok;
}

function shown(view: ProjectView, topic: Topic, id: string | undefined): unknown {
  switch (topic) {
    case "spec":
      return view.spec;
    case "patches":
      return id === undefined ? view.patches() : view.reader.patch(id);
    case "runs":
      return id === undefined ? view.runs() : view.run(id);
    case "artifacts":
      return id === undefined ? view.artifacts() : view.artifactsOf(id);
    case "history":
      return id === undefined ? view.versions() : view.version(id);
    case "state":
      return view.state;
  }
}

function isTopic(text: string): text is Topic {
  return TOPICS.some((topic) => topic === text);
}

function refuseId(topic: Topic, id: string | undefined): undefined {
  if (id !== undefined) throw new AtomsmithError("usage", `show ${topic} takes no ID`);
  return undefined;
}
