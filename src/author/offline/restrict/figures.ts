// Numbers and amounts that a sentence says in words ("twenty", "ten million", "less than a minute", "with just one pin"), put
// into figures before anything is asked with them.

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const SCALES: Record<string, number> = { hundred: 100, thousand: 1000, million: 1e6, billion: 1e9 };
const SCALE = Object.keys(SCALES).join("|");
const ONE = `(?:${SMALL.join("|")}|(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?)`;

/** "Ten million", "a hundred", "thirty-two". */
const SCALED = new RegExp(
  `(?<![\\w-])(?:(?<count>an?|\\d+|${ONE}) )?(?<scale>${SCALE})(?: (?<more>${SCALE}))?(?![\\w-])`,
  "gi",
);
const PLAIN = new RegExp(
  `(?<![\\w-])(?:${SMALL.slice(13).join("|")}|(?:${TENS.join("|")})(?:-(?:${SMALL.slice(1, 10).join("|")}))?)(?![\\w-])`,
  "gi",
);

const UNIT =
  "(?:(?:nano|micro|milli|pico|femto)?seconds?|minutes?|hours?|days?|weeks?|(?:milli|kilo)?volts?|(?:milli|micro|kilo)?watts?|microns?|(?:nano|micro|milli|centi|kilo)?met(?:er|re)s?|(?:kilo|mega|giga)?bytes?|degrees?|percent)";
/** "Less than a minute". */
const ONE_UNIT = new RegExp(
  `(?<=\\b(?:than|least|most|under|over|below|above|within|up to|exceed|exceeds|exceeding|beyond|exactly) )(?:an?|one|half an?) (?=${UNIT}\\b)`,
  "gi",
);
/** "A nanosecond and above". */
const UNIT_AND = new RegExp(
  `\\b(?:half an?|an?|one) (?=${UNIT} (?:or|and) (?:more|less|above|below|longer|shorter|over|under|up|upwards?|higher|lower)\\b)`,
  "gi",
);
/** "With just one pin", "that carry a single pin": an amount, not which of them are wanted. */
const MERE = new RegExp(
  `\\b(?<verb>with|ha(?:s|ve|d|ving)|of|in|by|had|took|takes?|lasted|contains?|carr(?:y|ies|ied|ying)|holds?) (?:(?:just|only|merely|no more than just) (?:an? single|(?<n>\\d+|${ONE}))|an? single) (?=[a-z])`,
  "gi",
);

function small(word: string): number | undefined {
  const low = word.toLowerCase();
  if (/^\d+$/.test(low)) return Number(low);
  if (/^an?$/.test(low)) return 1;
  const at = SMALL.indexOf(low);
  if (at >= 0) return at;
  const [tens = "", ones = ""] = low.split("-");
  const ten = TENS.indexOf(tens);
  return ten < 0 ? undefined : (ten + 2) * 10 + Math.max(0, SMALL.indexOf(ones));
}

/** The text with such amounts in figures. */
export function inFigures(text: string): string {
  return text
    .replace(SCALED, (all, ...found) => {
      const { count, scale = "", more } = found.at(-1) as Record<string, string | undefined>;
      const times = (SCALES[scale.toLowerCase()] ?? 1) * (SCALES[(more ?? "").toLowerCase()] ?? 1);
      const own = small(count ?? "one");
      return own === undefined ? all : String(own * times);
    })
    .replace(PLAIN, (word) => String(small(word) ?? word))
    .replace(ONE_UNIT, (one) => (/^half/i.test(one) ? "0.5 " : "1 "))
    .replace(UNIT_AND, (one) => (/^half/i.test(one) ? "0.5 " : "1 "))
    .replace(MERE, (_all, ...found) => {
      const { verb = "", n } = found.at(-1) as Record<string, string | undefined>;
      return `${verb} exactly ${small(n ?? "one") ?? 1} `;
    });
}

/** Units with what they are of, and how much of it. */
const FACTORS: [RegExp, string, number][] = [
  [/^(?:fs|femtoseconds?)$/i, "time", 1e-15],
  [/^(?:ps|picoseconds?)$/i, "time", 1e-12],
  [/^(?:ns|nanoseconds?)$/i, "time", 1e-9],
  [/^(?:us|µs|microseconds?)$/i, "time", 1e-6],
  [/^(?:ms|milliseconds?)$/i, "time", 1e-3],
  [/^(?:s|secs?|seconds?)$/i, "time", 1],
  [/^(?:min|minutes?)$/i, "time", 60],
  [/^(?:h|hours?)$/i, "time", 3600],
  [/^days?$/i, "time", 86400],
  [/^(?:nm|nanomet(?:er|re)s?)$/i, "length", 1e-9],
  [/^(?:um|µm|microns?|micromet(?:er|re)s?)$/i, "length", 1e-6],
  [/^(?:mm|millimet(?:er|re)s?)$/i, "length", 1e-3],
  [/^(?:cm|centimet(?:er|re)s?)$/i, "length", 1e-2],
  [/^(?:nW|nanowatts?)$/i, "power", 1e-9],
  [/^(?:uW|µW|microwatts?)$/i, "power", 1e-6],
  [/^(?:mW|milliwatts?)$/, "power", 1e-3],
  [/^(?:W|watts?)$/i, "power", 1],
  [/^(?:mV|millivolts?)$/, "voltage", 1e-3],
  [/^(?:V|volts?)$/i, "voltage", 1],
  [/^(?:fF|femtofarads?)$/, "capacitance", 1e-15],
  [/^(?:pF|picofarads?)$/i, "capacitance", 1e-12],
];

/** How many of the second unit one of the first is; undefined where they are of different things or unknown. */
export function unitsIn(from: string, to: string): number | undefined {
  const [a, b] = [from, to].map((unit) => FACTORS.find(([names]) => names.test(unit)));
  return a === undefined || b === undefined || a[1] !== b[1] ? undefined : a[2] / b[2];
}
