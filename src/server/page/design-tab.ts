// Shared by the tabs of a design project.
import type { DesignWire } from "../wire/design.ts";
import type { Place } from "./route.ts";

export interface TabProps {
  it: DesignWire;
  base: string;
  place: Place;
  /** Changes with the project. */
  version: number;
  /** Runs an action and shows its error. */
  decide: (name: string, body: object) => void;
  start: (kind: string, params: object) => void;
  busy: boolean;
}
