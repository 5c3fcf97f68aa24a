import { buffer } from 'node:stream/consumers';

import type { MarkdownBlock } from './read-markdown.ts';
import { toWinAnsi } from './to-win-ansi.ts';

const sizes = { title: 20, heading: 14, subheading: 12, text: 10.5 };
const bullet = '•';

/**
 * A PDF in the standard font Helvetica, which every reader has and which knows Western European letters only:
 * every other character becomes `?`. The same bytes for the same content and time (Unix milliseconds).
 */
export async function renderPdf(
  title: string,
  blocks: readonly MarkdownBlock[],
  nowMs: number,
): Promise<Uint8Array> {
  // Loaded with the first export: a sandbox starts faster without it.
  const { default: PDFDocument } = await import('pdfkit');
  const now = new Date(nowMs);
  const info = { Title: toWinAnsi(title), CreationDate: now, ModDate: now };
  const document = new PDFDocument({ size: 'A4', margin: 56, info });
  for (const { kind, level, runs } of blocks) {
    const shown = kind === 'bullet' ? [{ text: `${bullet} `, isBold: false }, ...runs] : runs;
    document.fontSize(chooseSize(level)).moveDown(kind === 'heading' ? 0.6 : 0);
    for (const [index, { text, isBold }] of shown.entries()) {
      document.font(isBold || kind === 'heading' ? 'Helvetica-Bold' : 'Helvetica');
      document.text(toWinAnsi(text), { continued: index < shown.length - 1 });
    }
    document.moveDown(kind === 'bullet' ? 0.1 : 0.4);
  }
  document.end();
  return buffer(document);
}

function chooseSize(level: number): number {
  if (level === 0) return sizes.text;
  if (level === 1) return sizes.title;
  return level === 2 ? sizes.heading : sizes.subheading;
}
