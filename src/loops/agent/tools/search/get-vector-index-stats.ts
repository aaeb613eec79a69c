import { z } from "zod";
import { defineTool, done } from "../types.ts";
import { withIndex } from "./workspace-index.ts";

export const getVectorIndexStats = defineTool({
  name: "get_vector_index_stats",
  category: "search",
  description: "How many files, chunks and vectors the index of the workspace has.",
  details: "Vectors are made by the first search where a server of embeddings is configured.",
  schema: z.strictObject({}),
  core: false,
  run(_, { workspace, embedder, signal }) {
    return withIndex(workspace, (index) => {
      const { files, chunks, vectors, bytes } = index.stats();
      const model = embedder(signal)?.model;
      const server = model === undefined ? "No server of embeddings is configured." : `Embeddings: ${model}.`;
      return done(`${files} files, ${chunks} chunks, ${vectors} vectors, ${bytes} bytes. ${server}`);
    });
  },
});
