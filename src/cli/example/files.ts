// The project of `init --example`: two pages, their logs and a configuration.
import buildLog from "./build.log.txt" with { type: "text" };
import coveragePage from "./COV-1_ItemSpec.md" with { type: "text" };
import coverageLog from "./coverage.rpt.txt" with { type: "text" };
import errorsPage from "./ERR-2_ItemSpec.md" with { type: "text" };

const CONFIG = `# Settings of this example. \`atomsmith init\` in another folder writes a file with every key.
paths:
  search_root: ./logs          # folder of the logs; files outside it are never read
  item_specs_dir: ./item_specs
`;

/** Path in the project and text. */
export const EXAMPLE_FILES: Readonly<Record<string, string>> = {
  "atomsmith.yaml": CONFIG,
  "item_specs/COV-1_ItemSpec.md": coveragePage,
  "item_specs/ERR-2_ItemSpec.md": errorsPage,
  "logs/coverage.rpt": coverageLog,
  "logs/build.log": buildLog,
};
