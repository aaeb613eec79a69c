// The versions of a project's spec with their changes, and a form to edit it.
import { useState } from "preact/hooks";
import type { DesignSpecWire } from "../wire/design.ts";
import { ApiError, useGet, withQuery } from "./api.ts";
import { Code } from "./code.tsx";
import type { TabProps } from "./design-tab.ts";
import { SpecDiff } from "./diff.tsx";
import { href } from "./route.ts";
import { Copy, Loaded, Problem, Text, Time } from "./ui.tsx";

export function Spec(props: TabProps) {
  const { it, base, place, version } = props;
  const wanted = place.path[3];
  const spec = useGet<DesignSpecWire>(withQuery(`${base}/spec`, { version: wanted }), version);
  return (
    <Loaded from={spec}>
      {(shown) => {
        const text = JSON.stringify(shown.spec, null, 2);
        const newest = shown.versions[0]?.version === shown.version;
        return (
          <>
            <h2>
              Version {shown.version} <Copy text={text} />
            </h2>
            <p class="dim">
              <Text of={shown.created_by} />, <Time at={shown.created_at} />
              {shown.patch_id === null ? null : (
                <>
                  , <a href={href(["design", it.id, "patches", shown.patch_id])}>patch {shown.patch_id}</a>
                </>
              )}
              {shown.undoes === null ? "" : `, reverts patch ${shown.undoes}`}
            </p>
            {newest ? null : (
              <p>
                <a href={href(["design", it.id, "spec"])}>Current version</a>
              </p>
            )}
            <Code source={text} file="spec.js" />
            {shown.difference.length === 0 ? null : (
              <details>
                <summary>Changes</summary>
                <SpecDiff changes={shown.difference} />
              </details>
            )}
            {newest ? <Change {...props} now={shown.version} /> : null}
            <details>
              <summary>Versions ({shown.versions.length})</summary>
              <ul class="plain">
                {shown.versions.map((version) => (
                  <li key={version.version}>
                    <a class="row" href={href(["design", it.id, "spec", String(version.version)])}>
                      <span class="grow">
                        version {version.version}{" "}
                        <span class="dim">
                          <Text of={version.created_by} />
                          {version.patch_id === null ? "" : `, patch ${version.patch_id}`}
                          {version.undoes === null ? "" : `, undoes ${version.undoes}`}
                        </span>
                      </span>
                      <Time at={version.created_at} />
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          </>
        );
      }}
    </Loaded>
  );
}

const EXAMPLE =
  '[{"op": "add", "path": "/items/ID", "value": {"page": "pages/ID_ItemSpec.md", "enabled": true}}]';

/** Applies JSON Patch operations. */
function Change({ decide, busy, now }: TabProps & { now: number }) {
  const [text, setText] = useState("");
  const [reason, setReason] = useState("");
  const [wrong, setWrong] = useState<ApiError | undefined>();
  const apply = (event: Event): void => {
    event.preventDefault();
    try {
      const operations: unknown = JSON.parse(text);
      setWrong(undefined);
      decide("patch", {
        operations,
        version: now,
        ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
      });
    } catch (error) {
      setWrong(new ApiError(0, `Not valid JSON: ${(error as Error).message}`));
    }
  };
  return (
    <details>
      <summary>Edit the spec</summary>
      <form onSubmit={apply}>
        <label>
          Operations (RFC 6902)
          <textarea
            rows={6}
            value={text}
            placeholder={EXAMPLE}
            spellcheck={false}
            onInput={(e) => setText(e.currentTarget.value)}
          />
        </label>
        <label>
          Reason <input value={reason} maxLength={2_000} onInput={(e) => setReason(e.currentTarget.value)} />
        </label>
        {wrong === undefined ? null : <Problem error={wrong} />}
        <div class="actions">
          <button type="submit" class="main" disabled={busy || text.trim() === ""}>
            Apply
          </button>
        </div>
      </form>
    </details>
  );
}
