// A waiver of a violation as a patch for a design project: to be copied, or proposed to a project of this server.
import { useState } from "preact/hooks";
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

/** Operations that add a waiver to an item of a spec. An item that has none yet gets the member first, and then keeps
 * those of its own only if they are given again: that is what a waiver in a spec means. */
export function waiverPatch(item: string, pattern: string, reason: string, has: boolean): Operation[] {
  const at = `/items/${pointerPart(item)}/waivers`;
  if (!has) return [{ op: "add", path: at, value: { [pattern]: reason } }];
  return [{ op: "add", path: `${at}/${pointerPart(pattern)}`, value: reason }];
}

function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function Waive({ item, text }: { item: string; text: string }) {
  const [open, setOpen] = useState(false);
  return open ? (
    <Form item={item} text={text} close={() => setOpen(false)} />
  ) : (
    <button type="button" class="small" onClick={() => setOpen(true)}>
      Waive …
    </button>
  );
}

function Form({ item, text, close }: { item: string; text: string; close: () => void }) {
  const projects = useGet<DesignListWire>("/api/design");
  const [reason, setReason] = useState("");
  const [chosen, setChosen] = useState("");
  const project = chosen || projects.data?.projects[0]?.id || "";
  const spec = useGet<DesignSpecWire>(
    project === "" ? undefined : `/api/design/${encodeURIComponent(project)}/spec`,
  );
  const { busy, error, run } = useAction();
  const known = itemOf(spec.data, item);
  const patch = waiverPatch(item, text, reason, known?.waivers !== undefined);
  const apply = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const at = `/api/design/${encodeURIComponent(project)}`;
      const now = await get<DesignSpecWire>(`${at}/spec`);
      const operations = waiverPatch(item, text, reason, itemOf(now, item)?.waivers !== undefined);
      await post(`${at}/patch`, { operations, version: now.version, reason, ...personBody() });
      go(href(["design", project, "patches"]));
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
      {known === undefined || known.waivers !== undefined ? null : (
        <p class="dim">Waivers in the spec replace those of the page: repeat those that still hold.</p>
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
