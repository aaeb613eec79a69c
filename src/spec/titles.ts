// The number of a heading, and the section that its words name. Words take precedence over numbers, because numbers shift
// when a section is inserted. docs/contract.md, section 1.
import type { SectionKey } from "./types.ts";

export type TopKey = "1" | "2" | "3" | "4";
export type SubKey = "4.1" | "4.2" | "4.3";
export type TitleKey = SectionKey | "4";

export interface HeadingNumber {
  /** `4.1` is [4, 1]. */
  parts: number[];
  /** The text after the number. */
  rest: string;
}

const CHINESE_DIGITS = "一二三四五六七八九";

/** The number at the start of a heading; undefined without one. */
export function numberOf(heading: string): HeadingNumber | undefined {
  const text = heading.normalize("NFKC").trim();
  const match =
    /^(?:section|sec\.?|chapter|part|第)?\s*[([]?\s*(\d{1,3}(?:\s*\.\s*\d{1,3})*)\s*(?:章|节|節|部分)?[\s.)\]、:·_–—−-]*(.*)$/iu.exec(
      text,
    );
  if (match?.[1] !== undefined) {
    return { parts: match[1].split(".").map((part) => Number.parseInt(part, 10)), rest: match[2] ?? "" };
  }
  const chinese = /^第?([一二三四五六七八九])\s*(?:章|节|節|部分)?\s*[、.:)]\s*(.*)$/u.exec(text);
  if (chinese?.[1] === undefined) return undefined;
  return { parts: [CHINESE_DIGITS.indexOf(chinese[1]) + 1], rest: chinese[2] ?? "" };
}

interface TitleWords {
  /** The canonical title or its translation. */
  exact: RegExp;
  /** Words that name the section inside a longer title. */
  words: RegExp;
}

// Matched against the normalized title: lower case, no number, single spaces, no punctuation.
const TITLES: Record<TitleKey, TitleWords> = {
  "1": {
    exact: /^(parsing( logic| rules?)?|parse logic|解析(逻辑|邏輯|规则)?)$/,
    words: /\bpars(ing|er?)\b|解析/,
  },
  "2": {
    exact: /^(check(ing|s)?( logic| rules?)?|检查(逻辑|规则)?|檢查邏輯)$/,
    words: /\bcheck(ing|s)?\b.*\b(logic|rules?|criteria)\b|(检查|檢查|校验|判断|判定)(逻辑|邏輯|规则)/,
  },
  "3": {
    exact: /^(waivers?( logic| rules?)?|waiving( logic)?|豁免(逻辑|规则)?|豁免邏輯)$/,
    words: /\bwaiv(ers?|ing|e)\b|豁免/,
  },
  "4": {
    exact: /^(implementation( guide(lines?)?| notes?)?|(实现|实施|實現)(指南|指引|说明))$/,
    words: /\bimplementation\b|(实现|实施|實現)(指南|指引|说明)/,
  },
  "4.1": {
    exact:
      /^(data sources?( and)?( data)?( extraction)?|(数据|數據|資料)(源|来源|來源)(与|和|及|與)?(数据)?(提取|抽取)?)$/,
    words: /\bdata sources?\b|\b(data )?extraction\b|数据源|数据来源|数据提取|數據源|資料來源/,
  },
  "4.2": {
    exact: /^(special (scenarios?|cases?)|特殊(场景|情况|情形|場景|情況)(处理)?)$/,
    words:
      /\bspecial (\w+ )?(scenarios?|cases?|situations?)\b|\b(edge|corner) cases?\b|特殊(场景|情况|情形|場景|情況)/,
  },
  "4.3": {
    exact: /^(test data( generation)?|测试数据(生成)?|測試數據(生成)?)$/,
    words: /\btest (data|cases?)\b|测试(数据|用例)|測試數據/,
  },
};

/** Sections outside the outline, which are never matched by number. */
const OUTSIDE =
  /\b(objectives?|overview|purpose|scope|background|introduction|history|revisions?|appendix|references?|glossary|changelog)\b|目标|目的|概述|背景|修订|附录|目標/;

export const TOP_KEYS: TopKey[] = ["1", "2", "3", "4"];
export const SUB_KEYS: SubKey[] = ["4.1", "4.2", "4.3"];

/** Canonical English titles, for messages. */
export const SECTION_TITLES: Record<TitleKey, string> = {
  "1": "Parsing Logic",
  "2": "Check Logic",
  "3": "Waiver Logic",
  "4": "Implementation Guide",
  "4.1": "Data Source & Extraction",
  "4.2": "Special Scenarios",
  "4.3": "Test Data Generation",
};

/** How well the words of a heading name the section: 2 exact title, 1 its words among others, 0 not at all. */
export function titleScore(heading: string, key: TitleKey): 0 | 1 | 2 {
  const title = normalize(heading);
  const { exact, words } = TITLES[key];
  if (exact.test(title)) return 2;
  return words.test(title) && !OUTSIDE.test(title) ? 1 : 0;
}

/** Whether a heading is a section outside the outline, such as "Check Objective". */
export function isOutsideOutline(heading: string): boolean {
  return OUTSIDE.test(normalize(heading));
}

function normalize(heading: string): string {
  const rest = numberOf(heading)?.rest ?? heading;
  return rest
    .normalize("NFKC")
    .toLowerCase()
    .replace(/&/g, " and ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
