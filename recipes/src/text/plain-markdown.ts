import { dropEnd } from './drop-end.ts';
import { tidyText } from './tidy-text.ts';

/**
 * Inline marks and what is left of them. Every repetition is bounded and stops at its own mark, so
 * that hostile text costs linear time.
 */
const inlineRules: readonly (readonly [RegExp, string])[] = [
  [/!\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}\)/g, '$1'],
  [/\[([^[\]\n]{1,500})\]\((https?:\/\/[^()\s]{1,2000})\)/g, '$1 ($2)'],
  [/\[([^[\]\n]{1,500})\]\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)/g, '$1'],
  [/(?<!\\)`([^`\n]{1,2000})`/g, '$1'],
  [/(?<!\\)\*\*([^*\n]{1,2000})\*\*/g, '$1'],
  [/(?<![\p{L}\p{N}_\\])__([^_\n]{1,2000})__(?![\p{L}\p{N}_])/gu, '$1'],
  [/~~([^~\n]{1,2000})~~/g, '$1'],
  [/(?<!\\)\*(?!\s)([^*\n]{1,2000})(?<![\s\\])\*/g, '$1'],
  [/(?<![\p{L}\p{N}_\\])_([^_\n]{1,2000})_(?![\p{L}\p{N}_])/gu, '$1'],
  [/<br\s{0,5}\/?>/gi, '\n'],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
];

const inlineMark = /[[`*_~<\\]/;

// No two neighbouring repetitions of a pattern can take the same character, so that none is tried in
// more than one way: a line that does not fit costs as little as one that does.
const heading = /^ {0,3}#{1,6}[ \t](.*)$/;
const rule = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$/;
const fence = /^ {0,3}(?:```|~~~)/;
const tableRuleMarks = /^[ \t:|-]*$/;
const bullet = /^([ \t]*)[-*+][ \t]+(?:\[([ xX])\][ \t]+)?(.*)$/;
const quote = /^ {0,3}>[ \t]?/;

/**
 * Markdown as text that reads well without being rendered: marks go, bullets become `•` with two
 * spaces per level, a link keeps its address in brackets. The result is tidy (see `tidyText`).
 */
export function plainMarkdown(markdown: string): string {
  const lines = tidyText(markdown)
    .split('\n')
    .flatMap((line) => toPlainLine(line.replace(quote, '')));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function toPlainLine(line: string): string[] {
  if (line === '') return [line];
  if (fence.test(line) || rule.test(line) || isTableRule(line)) return [];
  const item = bullet.exec(line);
  if (item !== null) {
    const level = Math.min(Math.floor((item[1] ?? '').replaceAll('\t', '  ').length / 2), 8);
    return [`${'  '.repeat(level)}• ${checkMark(item[2])}${plainInline(item[3] ?? '')}`];
  }
  const headingText = heading.exec(line)?.[1];
  const text = headingText === undefined ? line : dropEnd(headingText.trimStart(), ' \t#');
  return [plainInline(text).trimEnd()];
}

function isTableRule(line: string): boolean {
  return tableRuleMarks.test(line) && line.includes('-') && line.includes('|');
}

function checkMark(box: string | undefined): string {
  if (box === undefined) return '';
  return box === ' ' ? '☐ ' : '☑ ';
}

function plainInline(text: string): string {
  // Most lines have no mark, and a text can have very many lines.
  if (!inlineMark.test(text)) return text;
  return inlineRules.reduce((plain, [mark, left]) => plain.replace(mark, left), text);
}
