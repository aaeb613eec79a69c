// The last screen: what is written, with the check that the page seems to mean when it has none.

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
      title: "the page has no check block: is this the check?",
      body: [
        "",
        ...block.map((line) => `  ${line}`),
        "",
        "  It is made from the texts in backticks of sections 2 and 3, and is the config of the item.",
        "  expect: absent makes records violations; extra: info lets records that no pattern names pass.",
        "  What is not right can be corrected in the page.",
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
