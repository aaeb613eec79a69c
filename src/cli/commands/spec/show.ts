// `spec show`: prints an ItemSpec as the parser reads it.
import { AtomsmithError, EXIT } from "../../../core/errors.ts";
import { checkProblems } from "../../../runtime/check-block.ts";
import { lintItemSpec, readSpecFile, SECTION_KEYS } from "../../../spec/index.ts";
import { defineCommand } from "../../command.ts";
import { pageOrPath } from "../../item-target.ts";
import { type ShownBlocks, shownBlocks, textOfBlocks } from "../../spec-blocks.ts";

export const showCommand = defineCommand({
  name: "show",
  summary: "print an ItemSpec as the parser reads it",
  details:
    "Prints the headings with the section that each was recognized as, then the blocks: worked examples with their records, " +
    "check and witnesses. With --section, prints only the text of that section.",
  config: false,
  args: {
    file: { type: "positional", valueHint: "FILE", required: true, description: "ItemSpec" },
    section: {
      type: "enum",
      options: SECTION_KEYS,
      description: "print only the text of this section",
    },
  },
  exits: { 2: "the page is unusable" },
  examples: [
    {
      command: "atomsmith spec show IMP-10_ItemSpec.md --section 4.1",
      does: "print a section that Agent A sees",
    },
  ],
  run: async (args, context) => {
    const path = await pageOrPath(args.file, context);
    const reading = lintItemSpec(readSpecFile(path), path, checkProblems);
    const key = args.section;
    const section = key === undefined ? undefined : reading.spec?.sections[key];
    if (key !== undefined && section === undefined) {
      const why = reading.findings.find((finding) => finding.severity === "error")?.message ?? "";
      throw new AtomsmithError("spec", `cannot show section ${key}: ${why}`.trim(), {
        where: path,
        hint: "list all findings with: atomsmith spec lint",
      });
    }
    if (section !== undefined) {
      context.output.result({ path, item_id: reading.spec?.id ?? null, ...section }, () => section.text);
      return EXIT.ok;
    }
    const { headings, findings, spec } = reading;
    const blocks: ShownBlocks = shownBlocks(reading.blocks);
    context.output.result(
      { path, item_id: spec?.id ?? null, headings, sections: spec?.sections ?? null, blocks, findings },
      (style) => {
        const outline = headings.map((heading) => {
          const seen = heading.key === undefined ? style.dim("  -") : style.green(heading.key.padStart(3));
          return `${String(heading.line).padStart(5)} ${seen} ${"  ".repeat(heading.depth - 1)}${heading.text}`;
        });
        return [...outline, ...textOfBlocks(blocks, style)].join("\n");
      },
    );
    for (const finding of findings) context.output.note(`${finding.severity}: ${finding.message}`);
    return spec === undefined ? EXIT.usage : EXIT.ok;
  },
});
