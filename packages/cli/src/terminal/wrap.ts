import { stripVTControlCharacters } from 'node:util';

import stringWidth from 'string-width';

/** Words with the blanks before them. Chinese and Japanese text may be wrapped between any two characters. */
const words =
  /\s*(?:[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][\u3000-\u303F\uFF00-\uFF65]*|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)/gu;

/** The words of a command line: a quoted one is one word. */
const commandWords = /\s*(?:\\.|'[^']*'|"[^"]*"|[^\s'"\\]|['"\\])+/gs;

/** A command line in a text, to be pasted. */
const command = /^ +(?:[A-Z_]+=\S+ )*(?:aftermeet|npx|export) /;

/** What following lines stand below: a list's mark, or labels with two blanks behind them. */
const head = /^ *(?:(?:[-*•] |\d+\. )|(?:\S+(?: \S+){0,2} {2,}){1,3})?/;

/**
 * Text with every line wrapped at words to `width` cells. The lines that follow stand below the first one's text. A command
 * line goes on after a backslash, so that it can be pasted. A word that is wider than a line, such as an address, stays whole.
 */
export function wrapText(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapLine(line, width))
    .join('\n');
}

function wrapLine(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  const isCommand = command.test(line);
  const end = isCommand ? String.raw` \ `.trimEnd() : '';
  const indent = ' '.repeat(measureIndent(stripVTControlCharacters(line), width, isCommand));
  const lines: string[] = [];
  let current = '';
  for (const word of line.match(isCommand ? commandWords : words) ?? []) {
    if (current.trim() !== '' && stringWidth(current + word) + end.length > width) {
      lines.push(current + end);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current].join('\n');
}

/** How far the following lines are indented. */
function measureIndent(line: string, width: number, isCommand: boolean): number {
  const blanks = line.length - line.trimStart().length;
  if (isCommand) return blanks + 2;
  const below = stringWidth(head.exec(line)?.[0] ?? '');
  return below <= width / 2 ? below : Math.min(blanks + 2, Math.floor(width / 2));
}
