/** Text of one look within a line. */
interface TextRun {
  readonly text: string;
  readonly isBold: boolean;
}

export interface MarkdownBlock {
  readonly kind: 'heading' | 'bullet' | 'paragraph';
  /** Of a heading: 1 is the title. Otherwise 0. */
  readonly level: number;
  readonly runs: readonly TextRun[];
}

/**
 * Reads the Markdown that the sandbox writes: headings, bullets, paragraphs, bold text and escapes. Everything
 * else, which only a rewritten block can hold, is shown as it was typed.
 */
export function readMarkdown(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.length > 0)
      blocks.push({ kind: 'paragraph', level: 0, runs: readRuns(paragraph.join(' ')) });
    paragraph = [];
  };
  for (const line of text.split(/\r\n|[\r\n\u2028\u2029]/)) {
    const [, marks, heading] = /^(#{1,6})[ \t]+(.*)$/s.exec(line) ?? [];
    const [, bullet] = /^\s*[-*+][ \t]+(.*)$/s.exec(line) ?? [];
    if (heading !== undefined || bullet !== undefined || line.trim() === '') endParagraph();
    if (heading !== undefined) {
      blocks.push({ kind: 'heading', level: marks?.length ?? 1, runs: readRuns(heading) });
    } else if (bullet !== undefined) blocks.push({ kind: 'bullet', level: 0, runs: readRuns(bullet) });
    else if (line.trim() !== '') paragraph.push(line.trim());
  }
  endParagraph();
  return blocks;
}

const pieces = /\\([!-/:-@[-`{-~])|\*\*|[^\\*]+|[\\*]/g;

function readRuns(line: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let text = '';
  let isBold = false;
  const endRun = (): void => {
    if (text !== '') runs.push({ text, isBold });
    text = '';
  };
  for (const [piece, escaped] of line.matchAll(pieces)) {
    if (piece === '**') {
      endRun();
      isBold = !isBold;
    } else text += escaped ?? piece;
  }
  endRun();
  return runs;
}
