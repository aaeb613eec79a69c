// A waiver of a violation as a patch for a design project: to be copied, or proposed to a project of this server.
import { useState } from "preact/hooks";
import type { CheckResultWire } from "../wire/checks.ts";
import type { DesignListWire, DesignSpecWire } from "../wire/design.ts";
import { get, post, useAction, useGet } from "./api.ts";
import { personBody } from "./person.tsx";
import { go, href } from "./route.ts";
import { Copy, Problem } from "./ui.tsx";

interface Operation {
  op: "add";
  path: string;
  value: unknown;
}

type Waivers = CheckResultWire["waivers"];

/** Operations that add a waiver to an item of a spec. Waivers of a spec replace those of the item, so the item's own
 * waivers are copied if the spec has none yet. */
function waiverPatch(item: string, pattern: string, reason: string, own: Waivers | undefined): Operation[] {
  const at = `/items/${pointerPart(item)}/waivers`;
  if (own === undefined) return [{ op: "add", path: `${at}/${pointerPart(pattern)}`, value: reason }];
  const kept = own.map(({ pattern: known, reason: why, until }) => [
    known,
    until === null ? (why ?? "") : { reason: why ?? "", until },
  ]);
  return [{ op: "add", path: at, value: { ...Object.fromEntries(kept), [pattern]: reason } }];
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

interface WaiveProps {
  item: string;
  text: string;
  /** Those of the item's own config. */
  waivers: Waivers;
}

export function Waive(props: WaiveProps) {
  const [open, setOpen] = useState(false);
  return open ? (
    <Form {...props} close={() => setOpen(false)} />
  ) : (
    <button type="button" class="small" onClick={() => setOpen(true)}>
      Waive …
    </button>
  );
}

function Form({ item, text, waivers, close }: WaiveProps & { close: () => void }) {
  const projects = useGet<DesignListWire>("/api/design");
  const [reason, setReason] = useState("");
  const [chosen, setChosen] = useState("");
  const project = chosen || projects.data?.projects[0]?.id || "";
  const spec = useGet<DesignSpecWire>(
    project === "" ? undefined : `/api/design/${encodeURIComponent(project)}/spec`,
  );
  const { busy, error, run } = useAction();
  const known = itemOf(spec.data, item);
  const patch = waiverPatch(item, text, reason, known?.waivers === undefined ? waivers : undefined);
  const apply = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const at = `/api/design/${encodeURIComponent(project)}`;
      const now = await get<DesignSpecWire>(`${at}/spec`);
      const own = itemOf(now, item)?.waivers === undefined ? waivers : undefined;
      const operations = waiverPatch(item, text, reason, own);
      const body = { operations, version: now.version, reason, ...personBody() };
      const { patch_id } = await post<{ patch_id: string }>(`${at}/patch`, body);
      go(href(["design", project, "patches", patch_id]));
    });
  };
  return (
    <form class="question" onSubmit={apply}>
      <label>
        Why it is waived{" "}
        <input value={reason} required maxLength={2_000} onInput={(e) => setReason(e.currentTarget.value)} />
      </label>
      {(projects.data?.projects.length ?? 0) === 0 ? null : (
        <label>
          {" "}
          Project{" "}
          <select value={project} onChange={(e) => setChosen(e.currentTarget.value)}>
            {projects.data?.projects.map(({ id }) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
      )}
      <pre class="said" tabIndex={0}>
        {JSON.stringify(patch, null, 2)}
      </pre>
      {project === "" || spec.data === undefined || known !== undefined ? null : (
        <p class="warn">
          {project} has no item {item}; the patch will not apply there.
        </p>
      )}
      <div class="actions">
        <Copy text={JSON.stringify(patch, null, 2)} label="Copy as a patch" />
        {project === "" ? null : (
          <button type="submit" class="main" disabled={busy || reason.trim() === "" || known === undefined}>
            Apply to {project}
          </button>
        )}
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {error === undefined ? null : <Problem error={error} />}
    </form>
  );
}

function itemOf(spec: DesignSpecWire | undefined, item: string): { waivers?: object } | undefined {
  const items = (spec?.spec as { items?: Record<string, { waivers?: object }> } | undefined)?.items;
  return items !== undefined && Object.hasOwn(items, item) ? items[item] : undefined;
}
