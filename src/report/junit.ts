// JUnit XML, in the form that Jenkins, GitLab and the others read. Takes plain data; used by check and batch.
import { truncate } from "../core/limits.ts";
import { xml, xmlAttribute } from "./escape.ts";

export interface JunitCase {
  name: string;
  classname: string;
  /** Seconds. */
  time: number;
  /** failure: judged and not good; error: could not be judged. */
  outcome: "passed" | "failure" | "error" | "skipped";
  /** One line; shown in overviews. */
  message: string;
  /** The whole story; shown when one looks closer. */
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

/** Text of one case at most, bytes; servers choke on more. */
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
  // The schema of JUnit knows no fractions of a second and no zone here.
  const timestamp = suite.timestamp.replace(/(\.\d+)?Z$/, "");
  return [
    `  <testsuite name="${xmlAttribute(suite.name)}"${counts(suite.cases)} time="${suite.time.toFixed(3)}" timestamp="${xmlAttribute(timestamp)}">`,
    ...(properties.length > 0 ? ["    <properties>", ...properties, "    </properties>"] : []),
    ...suite.cases.flatMap(renderCase),
    "  </testsuite>",
  ];
}

function renderCase(one: JunitCase): string[] {
  const file = one.file === undefined ? "" : ` file="${xmlAttribute(one.file)}"`;
  const head = `    <testcase name="${xmlAttribute(one.name)}" classname="${xmlAttribute(one.classname)}" time="${one.time.toFixed(3)}"${file}`;
  const body: string[] = [];
  const message = xmlAttribute(truncate(one.message, 2000).text);
  if (one.outcome === "failure" || one.outcome === "error") {
    const type = one.outcome === "failure" ? "check_failed" : "not_judged";
    const details = xml(truncate(one.details ?? one.message, MAX_TEXT).text);
    body.push(`      <${one.outcome} message="${message}" type="${type}">${details}</${one.outcome}>`);
  }
  if (one.outcome === "skipped") body.push(`      <skipped message="${message}"/>`);
  if (one.systemOut !== undefined) {
    body.push(`      <system-out>${xml(truncate(one.systemOut, MAX_TEXT).text)}</system-out>`);
  }
  return body.length === 0 ? [`${head}/>`] : [`${head}>`, ...body, "    </testcase>"];
}

function counts(cases: readonly JunitCase[]): string {
  const count = (outcome: JunitCase["outcome"]) => cases.filter((one) => one.outcome === outcome).length;
  return ` tests="${cases.length}" failures="${count("failure")}" errors="${count("error")}" skipped="${count("skipped")}"`;
}
