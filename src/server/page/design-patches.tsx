// Patches of a project: their effect on the spec and the results, and decisions about pending ones.
import { useState } from "preact/hooks";
import type { DesignPatchWire } from "../wire/design.ts";
import { useGet } from "./api.ts";
import type { TabProps } from "./design-tab.ts";
import { SpecDiff } from "./diff.tsx";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { Copy, Empty, Loaded, State, Text, Time } from "./ui.tsx";

export function Patches(props: TabProps) {
  const { it, base, place, version } = props;
  const patches = useGet<{ patches: DesignPatchWire[] }>(`${base}/patches`, version);
  const chosen = place.path[3];
  return (
    <Loaded from={patches}>
      {({ patches: list }) =>
        list.length === 0 ? (
          <Empty>
            <p>
              No patch yet. Ask for a change in the conversation, or{" "}
              <a href={href(["design", it.id, "spec"])}>change the spec</a> yourself.
            </p>
          </Empty>
        ) : (
          <>
            <Undo {...props} />
            {list.map((patch) => {
              const waits = it.pending_patch_ids.includes(patch.patch_id);
              const open = waits || chosen === patch.patch_id;
              return open ? (
                <PatchCard
                  key={patch.patch_id}
                  patch={patch}
                  waits={waits}
                  chosen={chosen === patch.patch_id}
                  {...props}
                />
              ) : (
                <a key={patch.patch_id} class="row" href={href(["design", it.id, "patches", patch.patch_id])}>
                  <span class="grow">
                    {patch.patch_id} <Text of={patch.explanation.split("\n")[0]} />
                  </span>
                  <State of={patch.status} />
                  <span class="dim wide">
                    <Text of={patch.decided_by} />
                  </span>
                  <span class="wide">
                    <Time at={patch.decided_at} />
                  </span>
                </a>
              );
            })}
          </>
        )
      }
    </Loaded>
  );
}

function Undo({ decide, busy }: TabProps) {
  return (
    <div class="actions">
      <button type="button" disabled={busy} onClick={() => decide("undo", {})}>
        Undo the last approved patch
      </button>
    </div>
  );
}

interface CardProps extends TabProps {
  patch: DesignPatchWire;
  waits: boolean;
  chosen?: boolean;
}

export function PatchCard({ patch, waits, chosen = false, it, decide, busy }: CardProps) {
  const own = useChosen<HTMLElement>(chosen);
  const [reason, setReason] = useState("");
  const why = reason.trim() === "" ? {} : { reason: reason.trim() };
  const { patch_id, base_hash } = patch;
  return (
    <article class={waits ? "question" : "record"} ref={own} aria-label={`patch ${patch_id}`}>
      <h3>
        <a href={href(["design", it.id, "patches", patch_id])}>Patch {patch_id}</a>{" "}
        <State of={patch.status} /> <Copy text={JSON.stringify(patch.patches, null, 2)} label="Copy JSON" />
      </h3>
      <p>
        <Text of={patch.explanation} />
      </p>
      {patch.difference.length === 0 ? (
        <p class="dim">It does not change the spec.</p>
      ) : (
        <SpecDiff changes={patch.difference} />
      )}
      <Verdicts patch={patch} />
      {patch.decided_at === null ? null : (
        <p class="dim">
          {patch.status}
          {patch.decided_by === null ? "" : ` by ${patch.decided_by}`}, <Time at={patch.decided_at} />
          {patch.reason === null ? "" : `: ${patch.reason}`}
        </p>
      )}
      {!waits ? null : (
        <>
          <label>
            Reason{" "}
            <input value={reason} maxLength={2_000} onInput={(e) => setReason(e.currentTarget.value)} />
          </label>
          <div class="actions">
            <button
              type="button"
              class="main"
              disabled={busy}
              onClick={() => decide("approve", { patch_id, base_hash, ...why })}
            >
              Approve {patch_id}
            </button>
            <button type="button" disabled={busy} onClick={() => decide("reject", { patch_id, ...why })}>
              Reject {patch_id}
            </button>
          </div>
        </>
      )}
    </article>
  );
}

/** Effect on the results, based on the last check. */
function Verdicts({ patch: { verdicts, judged_anew } }: { patch: DesignPatchWire }) {
  if (verdicts.length === 0) {
    return judged_anew.length === 0 ? null : <p>Checked again: {judged_anew.join(", ")}</p>;
  }
  return (
    <section>
      <h4>Effect on the results</h4>
      <ul class="entries">
        {verdicts.map(({ item, title, before, after, appeared, disappeared, note }) => (
          <li key={item}>
            <strong>{item}</strong> <Text of={title} /> {before === null ? "?" : <State of={before} />}
            {" to "}
            {after === null ? "?" : <State of={after} />}{" "}
            <span class="dim">
              <Text of={note} />
            </span>
            {disappeared.map((line) => (
              <div key={line} class="good">
                - <Text of={line} />
              </div>
            ))}
            {appeared.map((line) => (
              <div key={line} class="bad">
                + <Text of={line} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
