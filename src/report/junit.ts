// JUnit XML as Jenkins, GitLab and other servers read it. Takes plain data; used by check and batch.
import { truncate } from "../core/limits.ts";
import { xml, xmlAttribute } from "./escape.ts";

export interface JunitCase {
  name: string;
  classname: string;
  /** Seconds. */
  time: number;
  /** failure: the check failed; error: no result. */
  outcome: "passed" | "failure" | "error" | "skipped";
  /** One line; shown in overviews. */
  message: string;
  /** The full text, shown for a single case. */
  details?: string;
  file?: string;
  systemOut?: string;
}

export interface JunitSuite {
  name: string;
  /** ISO 8601. */
  timestamp: string;
  /** Seconds. */
  time: number;
  properties?: Record<string, string>;
  cases: JunitCase[];
}

/** Maximum bytes of the text of one case; servers reject larger ones. */
const MAX_TEXT = 64 * 1024;

/** The whole document. */
export function renderJunit(suites: readonly JunitSuite[]): string {
  const all = suites.flatMap((suite) => suite.cases);
  const time = suites.reduce((sum, suite) => sum + suite.time, 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="atomsmith"${counts(all)} time="${time.toFixed(3)}">`,
    ...suites.flatMap(renderSuite),
    "</testsuites>",
  ];
  return `${lines.join("\n")}\n`;
}

function renderSuite(suite: JunitSuite): string[] {
  const properties = Object.entries(suite.properties ?? {}).map(
    ([name, value]) => `      <property name="${xmlAttribute(name)}" value="${xmlAttribute(value)}"/>`,
  );
  // The JUnit schema allows neither fractions of a second nor a time zone here.
  const timestamp = suite.timestamp.replace(/(\.\d+)?Z$/, "");
  return [
    `  <testsuite name="${xmlAttribute(suite.name)}"${counts(suite.cases)} time="${suite.time.toFixed(3)}" timestamp="${xmlAttribute(timestamp)}">`,
    ...(properties.length > 0 ? ["    <properties>", ...properties, "    </properties>"] : []),
    ...suite.cases.flatMap(renderCase),
    "  </testsuite>",
  ];
}

function renderCase(testCase: JunitCase): string[] {
  const file = testCase.file === undefined ? "" : ` file="${xmlAttribute(testCase.file)}"`;
  const head = `    <testcase name="${xmlAttribute(testCase.name)}" classname="${xmlAttribute(testCase.classname)}" time="${testCase.time.toFixed(3)}"${file}`;
  const body: string[] = [];
  const message = xmlAttribute(truncate(testCase.message, 2000).text);
  if (testCase.outcome === "failure" || testCase.outcome === "error") {
    const type = testCase.outcome === "failure" ? "check_failed" : "not_judged";
    const details = xml(truncate(testCase.details ?? testCase.message, MAX_TEXT).text);
    body.push(
      `      <${testCase.outcome} message="${message}" type="${type}">${details}</${testCase.outcome}>`,
    );
  }
  if (testCase.outcome === "skipped") body.push(`      <skipped message="${message}"/>`);
  if (testCase.systemOut !== undefined) {
    body.push(`      <system-out>${xml(truncate(testCase.systemOut, MAX_TEXT).text)}</system-out>`);
  }
  return body.length === 0 ? [`${head}/>`] : [`${head}>`, ...body, "    </testcase>"];
}

function counts(cases: readonly JunitCase[]): string {
  const count = (outcome: JunitCase["outcome"]) =>
    cases.filter((testCase) => testCase.outcome === outcome).length;
  return ` tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
}
