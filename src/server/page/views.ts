// The views of the page. A loop adds one line here and its own file.
import type { ComponentType } from "preact";
import { Agents } from "./agents.tsx";
import { Checks } from "./checks.tsx";
import { Design } from "./design.tsx";
import { Factory } from "./factory.tsx";
import { Items } from "./items.tsx";
import { Jobs } from "./jobs.tsx";
import { Overview } from "./overview.tsx";
import { QueueView } from "./queue.tsx";
import type { Place } from "./route.ts";

export interface View {
  /** First part of the address; "" for the start. */
  name: string;
  title: string;
  component: ComponentType<{ place: Place }>;
}

export const VIEWS: readonly View[] = [
  { name: "", title: "Overview", component: Overview },
  { name: "items", title: "Items", component: Items },
  { name: "checks", title: "Checks", component: Checks },
  { name: "design", title: "Design", component: Design },
  { name: "agents", title: "Agents", component: Agents },
  { name: "factory", title: "Factory", component: Factory },
  { name: "jobs", title: "Jobs", component: Jobs },
  { name: "queue", title: "Queue", component: QueueView },
];
