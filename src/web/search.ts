// Web search with a configured server that supports Tavily's protocol.
import { z } from "zod";
import { postFailure, postJson } from "../llm/json-post.ts";

const MAX_REPLY_BYTES = 4 * 2 ** 20;
/** Maximum length of a query in the protocol. */
const MAX_QUERY = 400;

export interface SearchServer {
  baseUrl: string;
  /** Undefined if the server requires none. */
  apiKey: string | undefined;
  timeoutMs: number;
}

export interface WebHit {
  title: string;
  url: string;
  /** The excerpt of the page. */
  content: string;
}

const replySchema = z.object({
  results: z.array(z.object({ title: z.string().nullish(), url: z.string(), content: z.string().nullish() })),
});

/** Hits in the order of the server. Throws kinds `provider`, `rate_limit` and `interrupted`. */
export async function searchWeb(
  query: string,
  maxResults: number,
  { baseUrl, apiKey, timeoutMs }: SearchServer,
  signal: AbortSignal,
): Promise<WebHit[]> {
  const what = "web search";
  const answer = await postJson({
    baseUrl,
    path: "/search",
    what,
    apiKey,
    body: {
      query: query.slice(0, MAX_QUERY),
      max_results: maxResults,
      search_depth: "basic",
      include_answer: false,
      include_raw_content: false,
    },
    signal,
    timeoutMs,
    maxReplyBytes: MAX_REPLY_BYTES,
  });
  const read = replySchema.safeParse(answer);
  if (!read.success)
    throw postFailure({ baseUrl, what }, `${baseUrl} answered with an unexpected format`, {
      retryable: false,
    });
  return read.data.results
    .slice(0, maxResults)
    .map(({ title, url, content }) => ({ title: title ?? "", url, content: content ?? "" }));
}
