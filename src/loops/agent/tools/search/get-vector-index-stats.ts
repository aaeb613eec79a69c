import { z } from "zod";
import { defineTool, done } from "../types.ts";
import { withIndex } from "./workspace-index.ts";

export const getVectorIndexStats = defineTool({
  name: "get_vector_index_stats",
  category: "search",
  description: "Show the number of files, chunks and vectors in the index of the workspace.",
  details: "Vectors are created by the first search if an embedding server is configured.",
  schema: z.strictObject({}),
  core: false,
  run(_, { workspace, embedder, signal }) {
    return withIndex(workspace, (index) => {
      const { files, chunks, vectors, bytes } = index.stats();
      const model = embedder(signal)?.model;
      const server = model === undefined ? "No embedding server is configured." : `Embeddings: ${model}.`;
      return done(`${files} files, ${chunks} chunks, ${vectors} vectors, ${bytes} bytes. ${server}`);
    });
  },
});
