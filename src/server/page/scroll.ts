// Scrolls to the element that the address names.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A ref to an element that is scrolled to once it is the chosen one. */
export function useChosen<E extends HTMLElement>(chosen: boolean): RefObject<E | null> {
  const ref = useRef<E>(null);
  useEffect(() => {
    if (chosen) ref.current?.scrollIntoView({ block: "start" });
  }, [chosen]);
  return ref;
}
