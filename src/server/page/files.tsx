// Files that a project, a run or an agent's job owns: a list, and one of them in the viewer or as a download.
import { withQuery } from "./api.ts";
import { LogViewer } from "./log-viewer.tsx";
import { href, type Place } from "./route.ts";
import { bytes, Empty, Text } from "./ui.tsx";

interface Props {
  files: readonly { path: string; bytes: number }[];
  /** Path of the operations over these files. */
  base: string;
  /** The address of the view; its query names the chosen file. */
  place: Place;
  empty: string;
}

export function Files({ files, base, place, empty }: Props) {
  const chosen = place.query.get("file");
  const line = Number(place.query.get("line")) || undefined;
  if (files.length === 0) {
    return (
      <Empty>
        <p>{empty}</p>
      </Empty>
    );
  }
  return (
    <>
      {chosen === null ? null : (
        <section>
          <h3>
            <Text of={chosen} />
          </h3>
          <p>
            <a href={withQuery(`${base}/files`, { file: chosen })} download>
              Download
            </a>
          </p>
          <LogViewer
            key={`${chosen}:${line}`}
            base={`${base}/logs`}
            file={chosen}
            line={line}
            marks={new Map()}
          />
        </section>
      )}
      <ul class="plain">
        {files.map((file) => (
          <li key={file.path}>
            <a
              class="row"
              href={href(place.path, { file: file.path })}
              aria-current={file.path === chosen ? "true" : undefined}
            >
              <span class="grow">
                <Text of={file.path} />
              </span>
              <span class="dim">{bytes(file.bytes)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
