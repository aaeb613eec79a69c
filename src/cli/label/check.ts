// The last screen: proposes a check block for a page that has none, and confirms what is written.
import { hasCheck } from "../../label/page.ts";
import { fencedBlock } from "../../spec/index.ts";
import type { Key } from "../io.ts";
import type { LabelApp, Screen, View } from "./app.ts";

export class CheckScreen implements Screen {
  private readonly app: LabelApp;
  private readonly check: string | null;

  constructor(app: LabelApp) {
    this.app = app;
    this.check = hasCheck(app.session.page) ? null : app.session.proposedCheck();
    if (this.check === null) app.leave({ write: true, check: null });
  }

  view(): View {
    const block = fencedBlock("check", this.check ?? "").split("\n");
    return {
      title: "the page has no check block; add this one?",
      body: [
        "",
        ...block.map((line) => `  ${line}`),
        "",
        "  It is derived from the texts in backticks in sections 2 and 3, and becomes the config of the item.",
        "  expect: absent makes every record a violation; extra: info allows records that no pattern names.",
        "  You can correct it later in the page.",
      ],
      keys: [
        ["w", "write the examples and this block"],
        ["e", "write the examples only"],
        ["Esc", "back"],
      ],
    };
  }

  key({ name, text }: Key): void {
    if (text === "w") this.app.leave({ write: true, check: this.check });
    else if (text === "e") this.app.leave({ write: true, check: null });
    else if (name === "escape") this.app.pop();
  }
}
