// A conversation of 20 turns about the sign-off of two items: messages and actions of the user, replies of the model
// (for recording), and the expected exit code of each step.
import type { Reply } from "./support.ts";

export type Step = { say: string; model: Reply[]; code: number } | { act: string[]; code: number };

const KEPT = {
  "density.*": "fill is inserted by the foundry",
  "li.3": "known false positive below the PLL, approved 2026-01-20",
  "regex:^met4\\.": "approved by the foundry",
};
const until = (run_until: string, reason: string) => ({ run: true, run_until, reason });

export const STEPS: readonly Step[] = [
  {
    say: "Hello. What is in this project?",
    model: [{ assistant_message: "It has no items yet. Which pages belong to the sign-off?" }],
    code: 0,
  },
  {
    say: "The DRC summary and the timing report.",
    model: [
      {
        assistant_message: "I need to know where they are.",
        questions: [
          {
            id: "pages",
            question: "Where are the two pages, and where are the logs?",
            why_needed: "each item names its page",
          },
        ],
      },
    ],
    code: 3,
  },
  {
    say: "pages/DRC-04_ItemSpec.md and pages/STA-03_ItemSpec.md; the logs are in logs.",
    model: [
      {
        assistant_message: "Both items, and a first check of them.",
        proposed_patches: [
          { op: "replace", path: "/search_root", value: "logs" },
          { op: "add", path: "/items/DRC-04", value: { page: "pages/DRC-04_ItemSpec.md", enabled: true } },
          { op: "add", path: "/items/STA-03", value: { page: "pages/STA-03_ItemSpec.md", enabled: true } },
        ],
        run_request: until("check", "to see where they stand"),
      },
    ],
    code: 3,
  },
  { act: ["approve", "0001"], code: 3 },
  { act: ["approve", "run"], code: 7 },
  {
    say: "What failed?",
    model: [{ assistant_message: "DRC-04: two violations are left beside its three waivers." }],
    code: 0,
  },
  {
    say: "Waive m1.6 in DRC-04.",
    model: [
      {
        assistant_message: "A waiver needs a reason.",
        questions: [
          {
            id: "reason",
            question: "Which ticket, and until when?",
            why_needed: "every waiver carries its reason",
          },
        ],
      },
    ],
    code: 3,
  },
  {
    say: "Ticket 4711, until the end of 2999.",
    model: [
      {
        assistant_message: "I look at the waivers that the item has now.",
        context_requests: {
          need_validity_report: true,
          need_specific_files: ["runs/run_0001/check/report.json"],
          why: "waivers in the spec replace those of the item",
        },
      },
      {
        assistant_message: "m1.6 is waived, and the three waivers of the item stay.",
        proposed_patches: [
          {
            op: "add",
            path: "/items/DRC-04/waivers",
            value: { ...KEPT, "m1.6": { reason: "ticket 4711", until: "2999-12-31" } },
          },
        ],
      },
    ],
    code: 3,
  },
  { act: ["approve", "2", "--reason", "agreed with the foundry"], code: 0 },
  {
    say: "Check again.",
    model: [
      {
        assistant_message: "Up to check.",
        run_request: until("check", "nwell.4 should be the only violation left"),
      },
    ],
    code: 3,
  },
  { act: ["approve", "run"], code: 7 },
  { say: "What is left?", model: [{ assistant_message: "nwell.4 alone." }], code: 0 },
  {
    say: "Waive everything in DRC-04 then.",
    model: [
      {
        assistant_message: "This hides what comes later, too.",
        proposed_patches: [{ op: "add", path: "/items/DRC-04/waivers/*", value: "everything" }],
        confidence: 0.2,
      },
    ],
    code: 3,
  },
  { act: ["reject", "3", "--reason", "too wide"], code: 0 },
  {
    say: "You are right: only nwell.4, ticket 4712. Then check.",
    model: [
      {
        assistant_message: "Only nwell.4.",
        proposed_patches: [{ op: "add", path: "/items/DRC-04/waivers/nwell.4", value: "ticket 4712" }],
        run_request: until("check", "DRC-04 should pass"),
      },
    ],
    code: 3,
  },
  { act: ["approve", "4"], code: 3 },
  { act: ["approve", "run"], code: 0 },
  {
    say: "Write the report.",
    model: [{ assistant_message: "All stages.", run_request: until("full", "the report is the last stage") }],
    code: 3,
  },
  { act: ["approve", "run"], code: 0 },
  {
    say: "Leave STA-03 out.",
    model: [
      {
        assistant_message: "STA-03 would not be judged any more.",
        proposed_patches: [{ op: "replace", path: "/items/STA-03/enabled", value: false }],
      },
    ],
    code: 3,
  },
  { act: ["reject", "5"], code: 0 },
  {
    say: "What did I reject so far?",
    model: [
      { assistant_message: "I look.", context_requests: { need_more_history: true } },
      { assistant_message: "The waiver of everything in DRC-04, and leaving STA-03 out." },
    ],
    code: 0,
  },
  {
    say: "STA-03 must name at least two of its paths.",
    model: [
      {
        assistant_message: "Two patterns.",
        proposed_patches: [{ op: "replace", path: "/items/STA-03/requirements/value", value: 2 }],
      },
      {
        assistant_message: "Two patterns, as requirements of their own.",
        proposed_patches: [
          {
            op: "add",
            path: "/items/STA-03/requirements",
            value: { value: 2, pattern_items: ["no_such_path", "another"] },
          },
        ],
      },
    ],
    code: 3,
  },
  { act: ["reject", "6", "--reason", "those paths do not exist"], code: 0 },
  { say: "Is that all?", model: ["That is all.", { assistant_message: "That is all." }], code: 0 },
  {
    say: "Note that DRC-04 was reviewed.",
    model: [
      {
        assistant_message: "As a note; it changes no verdict.",
        proposed_patches: [{ op: "add", path: "/items/DRC-04/note", value: "reviewed with the foundry" }],
      },
    ],
    code: 3,
  },
  { act: ["approve", "7"], code: 0 },
  {
    say: "The waiver of m1.6 was to end in January 2001.",
    model: [
      {
        assistant_message: "It has ended then, and m1.6 is a violation again.",
        proposed_patches: [{ op: "replace", path: "/items/DRC-04/waivers/m1.6/until", value: "2001-01-31" }],
      },
    ],
    code: 3,
  },
  { act: ["approve", "8"], code: 0 },
  { act: ["run", "--until", "check"], code: 7 },
  {
    say: "That was wrong, I take it back.",
    model: [{ assistant_message: "design undo goes back to the version before." }],
    code: 0,
  },
  { act: ["undo"], code: 0 },
  {
    say: "Run everything once more.",
    model: [
      { assistant_message: "All stages.", run_request: until("full", "to have the report of this version") },
    ],
    code: 3,
  },
  { act: ["approve", "run"], code: 0 },
  {
    say: "Done.",
    model: [{ assistant_message: "Signed off: both items pass.", stop: true, confidence: 1 }],
    code: 0,
  },
];
