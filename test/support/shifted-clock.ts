// Loaded before the program (`bun --preload`): shifts its wall clock, as on a machine with a wrong time. Works only
// with
// the program from sources; monotonic time is not affected, as on a real machine.
// ATOMSMITH_TEST_CLOCK: milliseconds ahead, or `jumping`: alternately an hour ahead and behind, changing every
// second.
const setting = process.env["ATOMSMITH_TEST_CLOCK"] ?? "0";
const RealDate = Date;
const HOUR_MS = 3_600_000;

function offset(): number {
  if (setting !== "jumping") return Number(setting);
  return Math.floor(performance.now() / 1_000) % 2 === 0 ? HOUR_MS : -HOUR_MS;
}

class ShiftedDate extends RealDate {
  constructor(...parts: ConstructorParameters<DateConstructor> | []) {
    if (parts.length === 0) super(RealDate.now() + offset());
    else super(...(parts as ConstructorParameters<DateConstructor>));
  }

  static override now(): number {
    return RealDate.now() + offset();
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
