// What the gates of one run share: the set, its static views, findings, facts and times.
import { ATOM_FILES, ATOM_FUNCTIONS, type Atom } from "../contract/atoms.ts";
import type { GateFacts, GateName } from "../contract/gates.ts";
import { Findings } from "./findings.ts";
import { inspectAtom, type StaticView } from "./static/index.ts";
import { type Literals, NO_LITERALS } from "./static/literals.ts";
import type { GateInput, GateServices } from "./types.ts";

export const ATOMS = Object.keys(ATOM_FUNCTIONS) as Atom[];

export class GateRun {
  readonly input: GateInput;
  readonly services: GateServices;
  readonly findings = new Findings();
  readonly views: Readonly<Record<Atom, StaticView>>;
  readonly facts: GateFacts;
  /** Milliseconds by gate. */
  readonly times = new Map<GateName, number>();

  constructor(input: GateInput, services: GateServices) {
    this.input = input;
    this.services = services;
    const view = (atom: Atom): StaticView => inspectAtom(atom, input.sources[atom]);
    this.views = { atom_a: view("atom_a"), atom_b: view("atom_b"), atom_c: view("atom_c") };
    this.facts = { line_local: null, records_by_file: {}, pattern_matches: {}, seed: input.seed };
  }

  /** Reports the problems that the static views found. */
  runStatic(): void {
    const { findings, views, input } = this;
    for (const atom of ATOMS) {
      const view = views[atom];
      if (input.sources[atom].trim() === "") {
        if (!findings.hasErrors(atom)) {
          findings.error("gate1_syntax", atom, "file_empty", `${ATOM_FILES[atom]} is missing or empty.`);
        }
        continue;
      }
      if (!view.ok) {
        const message = `${ATOM_FILES[atom]}: ${view.message}.`;
        findings.error("gate1_syntax", atom, view.code, message, view.line ? { line: view.line } : {});
        continue;
      }
      for (const { code, message, line } of view.forbidden) {
        findings.error("gate1_forbidden", atom, code, message, { line });
      }
      for (const { code, message, line } of view.signature) {
        findings.error("gate1_signature", atom, code, message, { line });
      }
    }
    findings.ran("gate1_syntax");
    const allParsed = ATOMS.every((atom) => views[atom].ok && input.sources[atom].trim() !== "");
    if (allParsed) findings.ran("gate1_forbidden", "gate1_signature");
  }

  /** Does the atom parse and define its function? The sandbox contains it in any case. */
  isRunnable(atom: Atom): boolean {
    const view = this.views[atom];
    if (this.input.sources[atom].trim() === "") return false;
    return view.ok && !view.signature.some(({ code }) => code === "missing_function");
  }

  /** Opens the atom in the sandbox; the caller closes the session. */
  open(atom: Atom): ReturnType<GateServices["sandbox"]["open"]> {
    return this.services.sandbox.open({ name: ATOM_FILES[atom], source: this.input.sources[atom] });
  }

  literals(atom: Atom): Literals {
    const view = this.views[atom];
    return view.ok ? view.literals : NO_LITERALS;
  }

  /** Runs a gate and adds its time; several gates that run together share the time equally. */
  async timed<T>(gates: readonly GateName[], body: () => Promise<T>): Promise<T> {
    this.services.signal.throwIfAborted();
    const started = performance.now();
    const result = await body();
    const ms = performance.now() - started;
    for (const gate of gates) this.times.set(gate, (this.times.get(gate) ?? 0) + ms / gates.length);
    return result;
  }
}
