// Design: the projects, and one of them with the tabs of its conversation, spec, patches, runs, artifacts and reports.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { DesignListWire, DesignWire } from "../wire/design.ts";
import { post, useAction, useGet } from "./api.ts";
import { Artifacts, Reports } from "./design-files.tsx";
import { Patches } from "./design-patches.tsx";
import { Runs } from "./design-runs.tsx";
import { Spec } from "./design-spec.tsx";
import { Conversation } from "./design-talk.tsx";
import { type LiveEvent, useReload } from "./live.ts";
import { OverviewList } from "./overview-list.tsx";
import { Person, personBody } from "./person.tsx";
import { go, href, type Place } from "./route.ts";
import { Loaded, Problem, plural, State, Tabs, Text } from "./ui.tsx";

const TABS = ["conversation", "spec", "patches", "run", "artifacts", "reports"] as const;

export function Design({ place }: { place: Place }) {
  const id = place.path[1];
  return id === undefined ? <List /> : <Project key={id} id={id} place={place} />;
}

/** True for events of a design project. */
function matters({ type, loop, job }: LiveEvent): boolean {
  if (type === "job_changed") return String((job as Job | undefined)?.kind).startsWith("design-");
  return type === "design_changed" || (loop === "design" && type.startsWith("design_"));
}

function List() {
  return (
    <OverviewList
      title="Design"
      path="/api/design"
      matters={matters}
      rows={({ projects }: DesignListWire) => projects}
      row={(project) => <Row key={project.id} project={project} />}
      empty={({ folder }) => (
        <>
          No project yet. A project keeps the sign-off of a checklist current in conversation; make one here,
          or with <code>atomsmith design --create</code> in a folder of{" "}
          <code>
            <Text of={folder} />
          </code>
          .
        </>
      )}
      start={() => <Create />}
    />
  );
}

function Row({ project: one }: { project: DesignListWire["projects"][number] }) {
  return (
    <li>
      <a class="row" href={href(["design", one.id])}>
        <span class="grow">
          <Text of={one.name} />{" "}
          <span class="dim">
            <Text of={one.error ?? one.pipeline} />
          </span>
        </span>
        <State of={one.state} />
        <span class="dim wide">
          {one.waiting_patches === 0 ? "" : plural(one.waiting_patches, "patch", "patches")}
        </span>
        <span class="dim wide">version {one.version}</span>
      </a>
    </li>
  );
}

function Create() {
  const [name, setName] = useState("");
  const { busy, error, run } = useAction();
  const create = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      await post("/api/design", { name, ...personBody() });
      go(href(["design", name]));
    });
  };
  return (
    <section>
      <h2>New checklist project</h2>
      <form class="bar" onSubmit={create}>
        <label>
          Name{" "}
          <input
            value={name}
            required
            maxLength={100}
            pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
            title="letters, digits, and . _ - between them"
            onInput={(e) => setName(e.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={busy || name === ""}>
          Create
        </button>
      </form>
      {error === undefined ? null : <Problem error={error} />}
    </section>
  );
}

function Project({ id, place }: { id: string; place: Place }) {
  const base = `/api/design/${encodeURIComponent(id)}`;
  const project = useGet<DesignWire>(base);
  const [version, setVersion] = useState(0);
  const { busy, error, run } = useAction();
  const reload = (): void => {
    project.reload();
    setVersion((n) => n + 1);
  };
  useReload(reload, matters);
  const tab = place.path[2] ?? "conversation";
  const shared = {
    base,
    place,
    version,
    busy,
    decide: (name: string, body: object) =>
      run(() => post(`${base}/${name}`, { ...body, ...personBody() }).finally(reload)),
    start: (kind: string, params: object) =>
      run(() =>
        post<Job>("/jobs", { kind, params: { project: id, ...params, ...personBody() } }).finally(reload),
      ),
  };
  return (
    <>
      <p class="crumbs">
        <a href={href(["design"])}>Design</a>
      </p>
      <Loaded from={project}>
        {(it) => (
          <>
            <h1>
              <Text of={it.name} /> <State of={it.state} />
            </h1>
            <p class="dim">
              spec version {it.version}, pipeline <Text of={it.pipeline} />, {plural(it.turn, "turn")}
            </p>
            <Tabs
              current={tab}
              tabs={TABS.map((name) => ({
                name,
                title: titleOf(name, it),
                href: href(name === "conversation" ? ["design", id] : ["design", id, name]),
              }))}
            />
            {error === undefined ? null : <Problem error={error} />}
            {tab === "conversation" ? <Conversation it={it} {...shared} /> : null}
            {tab === "spec" ? <Spec it={it} {...shared} /> : null}
            {tab === "patches" ? <Patches it={it} {...shared} /> : null}
            {tab === "run" ? <Runs it={it} {...shared} /> : null}
            {tab === "artifacts" ? <Artifacts it={it} {...shared} /> : null}
            {tab === "reports" ? <Reports it={it} {...shared} /> : null}
            <Person />
          </>
        )}
      </Loaded>
    </>
  );
}

/** Pending decisions are counted in the titles of the tabs. */
function titleOf(name: (typeof TABS)[number], it: DesignWire): string {
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  if (name === "patches" && it.waiting_patches > 0) return `${title} (${it.waiting_patches})`;
  return name === "run" && it.waiting_run ? `${title} (1)` : title;
}
