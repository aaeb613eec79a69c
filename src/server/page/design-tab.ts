// What the tabs of a design project share.
import type { DesignWire } from "../wire/design.ts";
import type { Place } from "./route.ts";

export interface TabProps {
  it: DesignWire;
  base: string;
  place: Place;
  /** Changes when something of the project has changed. */
  version: number;
  /** Does something and shows what went wrong. */
  decide: (name: string, body: object) => void;
  start: (kind: string, params: object) => void;
  busy: boolean;
}
