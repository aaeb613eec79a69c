// An open project, as used by the commands and the conversation, and its output.
import { AtomsmithError, EXIT, type ExitCode } from "../../core/errors.ts";
import { createLlmServices, type LlmServices } from "../../llm/index.ts";
import { providerOf } from "../../llm/providers.ts";
import {
  DESIGN_ROLE,
  DesignProject,
  designEmit,
  ProjectReader,
  type ProjectState,
  type Run,
  runTurn,
  type TurnDocument,
} from "../../loops/design/index.ts";
import { createRunContext } from "../../run/context.ts";
import type { CommandContext } from "../context.ts";
import type { DesignArgs } from "./args.ts";
import { runText, stateText, turnText } from "./render.ts";
import { openPipeline } from "./services.ts";
import { userNameOf } from "./user-name.ts";

export class Session {
  readonly project: DesignProject;
  readonly context: CommandContext;
  private readonly args: DesignArgs;

  private constructor(project: DesignProject, context: CommandContext, args: DesignArgs) {
    this.project = project;
    this.context = context;
    this.args = args;
  }

  /** Opens the project, runs `work` and closes the project. */
  static async use(
    dir: string,
    args: DesignArgs,
    context: CommandContext,
    work: (session: Session) => Promise<ExitCode>,
  ): Promise<ExitCode> {
    const { config, env, bus, signal, cwd } = context;
    const { redact } = createLlmServices(config, { env, emit: bus.emit, roles: [] });
    const { name } = new ProjectReader(dir).project;
    const services = {
      config,
      redact,
      userName: await userNameOf(env, cwd),
      emit: designEmit(bus, name),
      signal,
      now: () => new Date(),
    };
    const project = await DesignProject.open(dir, services, (reader) =>
      openPipeline(reader, context, args["no-jail"]),
    );
    try {
      return await work(new Session(project, context, args));
    } finally {
      await project.close();
    }
  }

  /** The model of the conversation. Throws kind `config` when none is configured or its settings are invalid. */
  model(): LlmServices {
    const { config, bus, env, signal } = this.context;
    if (providerOf(config.llm.design, env) === "offline") {
      throw new AtomsmithError("config", "no model is configured for the conversation", {
        where: "llm.design",
        hint: "set llm.design.model and its key; run, patch, show and undo work without a model, as do /set, /run and /show in the conversation",
      });
    }
    return createRunContext({ config, bus, env, signal, commandFlags: [] }, [DESIGN_ROLE]).llm;
  }

  /** Runs one turn; its document is the result of the command. */
  async turn(message: string): Promise<ExitCode> {
    const document = await runTurn(this.project, this.model(), message);
    this.context.output.result(document, (style) => turnText(document, this.project, style, this.dirFlag));
    return exitOfTurn(document);
  }

  /** Prints the project's state with additional members. */
  printState(text: string, more: object = {}): ExitCode {
    const { state } = this.project;
    this.context.output.result(
      { ...state, ...more },
      (style) => `${text}\n${stateText(state, style, this.dirFlag)}`,
    );
    return exitOfState(state);
  }

  printRun(run: Run): ExitCode {
    this.context.output.result(run, (style) => runText(run, this.project, style));
    return exitOfRun(run, this.project.state);
  }

  /** The flag that the next command needs. */
  get dirFlag(): string {
    return `--project-dir ${this.args["project-dir"]}`;
  }
}

export function exitOfState({ pending_patch_ids, pending_run }: ProjectState): ExitCode {
  return pending_patch_ids.length > 0 || pending_run !== null ? EXIT.human : EXIT.ok;
}

export function exitOfRun(run: Run, state: ProjectState): ExitCode {
  return run.status === "failed" ? EXIT.checkFailed : exitOfState(state);
}

function exitOfTurn(document: TurnDocument): ExitCode {
  if (document.error !== null) return document.error.kind === "budget" ? EXIT.budget : EXIT.infrastructure;
  const waits =
    document.questions.length > 0 || document.pending_patch_ids.length > 0 || document.pending_run !== null;
  return waits ? EXIT.human : EXIT.ok;
}
