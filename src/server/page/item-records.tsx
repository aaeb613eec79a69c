// The records of an item with their log lines.
import { visible } from "../../report/escape.ts";
import type { RecordWire } from "../wire/items.ts";
import { useGet } from "./api.ts";
import { href } from "./route.ts";
import { useChosen } from "./scroll.ts";
import { Copy, Empty, Loaded, plural, Text } from "./ui.tsx";

export function Records({ base, id, chosen }: { base: string; id: string; chosen: string | undefined }) {
  const records = useGet<{ records: RecordWire[]; total: number }>(`${base}/records`);
  return (
    <Loaded from={records}>
      {({ records: list, total }) =>
        total === 0 ? (
          <Empty>
            <p>
              Nothing was extracted. <a href={href(["items", id, "label"])}>Mark a line of the log</a> to say
              what a record is.
            </p>
          </Empty>
        ) : (
          <>
            <p class="dim">
              {list.length === total
                ? plural(total, "record")
                : `The first ${list.length} of ${total} records`}
            </p>
            {list.map((record, i) => (
              <Record key={i} number={i + 1} record={record} id={id} chosen={chosen === String(i + 1)} />
            ))}
          </>
        )
      }
    </Loaded>
  );
}

interface RecordProps {
  record: RecordWire;
  id: string;
  number: number;
  chosen: boolean;
}

function Record({ record, id, number, chosen }: RecordProps) {
  const own = useChosen<HTMLElement>(chosen);
  const { value, file, line_number, parsed_fields, context } = record;
  const line = line_number ?? undefined;
  return (
    <article class={`record ${chosen ? "chosen" : ""}`} ref={own}>
      <h3>
        <a href={href(["items", id, "records", String(number)])}>
          <Text of={value} />
        </a>{" "}
        <Copy text={value} />
      </h3>
      <p>
        <a href={href(["items", id, "logs"], { file, line })}>
          <Text of={file} />
          {line === undefined ? "" : `:${line}`}
        </a>
      </p>
      <dl class="fields">
        {Object.entries(parsed_fields).map(([name, field]) => (
          <div key={name}>
            <dt>
              <Text of={name} />
            </dt>
            <dd>
              <Text of={typeof field === "string" ? field : JSON.stringify(field)} />
            </dd>
          </div>
        ))}
      </dl>
      {context.lines.length === 0 ? null : (
        <pre tabIndex={0} class="code excerpt">
          {context.lines.map((text, i) => (
            <span key={context.start_line + i} class={context.start_line + i === line ? "marked" : ""}>
              <span class="number">{context.start_line + i}</span> {visible(text)}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </article>
  );
}
