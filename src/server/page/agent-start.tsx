// Form that starts a job of an agent: configuration, task and documents.
import { useState } from "preact/hooks";
import type { Job } from "../jobs/record.ts";
import type { AgentListWire } from "../wire/agents.ts";
import { ApiError, post, useAction } from "./api.ts";
import { go, href } from "./route.ts";
import { bytes, Problem, Text } from "./ui.tsx";

/** A request has at most a megabyte, and base64 needs a third more. */
const MOST_BYTES = 700_000;

export function StartAgent({ configs }: { configs: AgentListWire["configs"] }) {
  const [config, setConfig] = useState(configs[0]?.name ?? "");
  const [description, setDescription] = useState("");
  const [files, setFiles] = useState<readonly File[]>([]);
  const { busy, error, run } = useAction();
  const start = (event: Event): void => {
    event.preventDefault();
    run(async () => {
      const documents = await Promise.all(files.map(documentOf));
      const params = { config, description, ...(documents.length === 0 ? {} : { documents }) };
      const job = await post<Job>("/jobs", { kind: "agent-run", params });
      go(href(["jobs", job.id]));
    });
  };
  return (
    <section>
      <h2>Start a job</h2>
      <form onSubmit={start}>
        <p>
          <label>
            Agent{" "}
            <select value={config} onChange={(e) => setConfig(e.currentTarget.value)}>
              {configs.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        </p>
        <label>
          Task
          <textarea
            rows={4}
            maxLength={100_000}
            required
            value={description}
            onInput={(e) => setDescription(e.currentTarget.value)}
          />
        </label>
        <p>
          <label>
            Documents (together up to {bytes(MOST_BYTES)}; larger ones with <code>agent run --document</code>){" "}
            <input type="file" multiple onChange={(e) => setFiles([...(e.currentTarget.files ?? [])])} />
          </label>
        </p>
        {files.length === 0 ? null : (
          <p class="dim">
            {files.map(({ name, size }) => (
              <span key={name}>
                <Text of={name} /> ({bytes(size)}){" "}
              </span>
            ))}
          </p>
        )}
        {error === undefined ? null : <Problem error={error} />}
        <div class="actions">
          <button type="submit" class="main" disabled={busy || description.trim() === ""}>
            Start
          </button>
        </div>
      </form>
    </section>
  );

  async function documentOf(file: File): Promise<{ name: string; base64: string }> {
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (total > MOST_BYTES)
      throw new ApiError(413, `The documents are too large: ${bytes(total)}.`, "Remove some of them.");
    const data = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (const byte of data) text += String.fromCharCode(byte);
    return { name: file.name, base64: btoa(text) };
  }
}
