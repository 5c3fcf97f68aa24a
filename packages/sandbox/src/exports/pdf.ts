import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { findAssets } from '../assets.ts';
import type { MarkdownBlock } from './markdown.ts';

const MARGIN = 56;
const BULLET_INDENT = 14;
const sizes = { title: 20, heading: 14, subheading: 12, text: 10.5, note: 8 };
/** The font has one weight: the outline of bold text is drawn as well. */
const BOLD_OUTLINE = 0.35;

/** Noto Sans (see `fonts/OFL.txt`), for Latin, Greek and Cyrillic. */
const OWN_FONT = 'NotoSans_400Regular.ttf';
const MISSING_NOTE =
  'A question mark stands for a character without a font. For Chinese, Japanese and Korean start the sandbox with a font: --pdf-font <file>.';

export interface PdfSource {
  readonly title: string;
  readonly blocks: readonly MarkdownBlock[];
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** A font file for Chinese, Japanese and Korean. */
  readonly wideFont: string | undefined;
}

/**
 * A PDF with its fonts embedded. Latin, Greek and Cyrillic have the font of the package; Chinese, Japanese and Korean
 * need `wideFont`. A character without a font becomes `?`, and a last line explains it. The bytes are the same for the
 * same source.
 */
export async function renderPdf({ title, blocks, nowMs, wideFont }: PdfSource): Promise<Uint8Array> {
  // Loaded with the first export: the sandbox starts faster.
  const { default: PDFDocument } = await import('pdfkit');
  const now = new Date(nowMs);
  const info = { Title: title, Creator: 'Sandbox', CreationDate: now, ModDate: now };
  const document = new PDFDocument({ size: 'A4', margin: MARGIN, bufferPages: true, info });
  document.registerFont('own', join(findAssets('fonts'), OWN_FONT));
  if (wideFont !== undefined) document.registerFont('wide', wideFont);
  document.lineWidth(BOLD_OUTLINE);
  let isMissing = false;
  for (const { kind, level, runs } of blocks) {
    const parts = runs.flatMap(({ text, isBold }) =>
      splitByFont(text, wideFont !== undefined).map((part) => ({
        ...part,
        stroke: isBold || kind === 'heading',
      })),
    );
    isMissing ||= parts.some((part) => part.isMissing);
    document.fontSize(chooseSize(level)).moveDown(kind === 'heading' ? 0.6 : 0);
    if (kind === 'bullet') document.font('own').text('•', MARGIN, document.y).moveUp();
    const left = MARGIN + (kind === 'bullet' ? BULLET_INDENT : 0);
    for (const [index, { font, text, stroke }] of parts.entries()) {
      const look = { continued: index < parts.length - 1, stroke, fill: true };
      document.font(font);
      if (index === 0) document.text(text, left, document.y, look);
      else document.text(text, look);
    }
    document.moveDown(kind === 'bullet' ? 0.1 : 0.4);
  }
  document.font('own').fontSize(sizes.note);
  if (isMissing) document.text(MISSING_NOTE, MARGIN, document.y, { stroke: false });
  numberPages(document);
  document.end();
  return buffer(document);
}

function chooseSize(level: number): number {
  if (level === 0) return sizes.text;
  if (level === 1) return sizes.title;
  return level === 2 ? sizes.heading : sizes.subheading;
}

/** `2 / 3` at the bottom of every page. */
function numberPages(document: PDFKit.PDFDocument): void {
  const { start, count } = document.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index);
    // Text in the lower margin would begin a new page.
    document.page.margins.bottom = 0;
    const y = document.page.height - MARGIN / 2 - sizes.note;
    const width = document.page.width - 2 * MARGIN;
    document.text(`${String(index + 1)} / ${String(count)}`, MARGIN, y, { width, align: 'right' });
  }
}

export interface FontRun {
  readonly font: 'own' | 'wide';
  readonly text: string;
  /** It had a character without a font. */
  readonly isMissing: boolean;
}

/** Control characters, and those that only change how others are shown: joiners, direction marks, variation selectors. */
const invisible = /[\p{Cc}\p{Cf}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu;
const wideCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u30ff\uff00-\uffef]/u;
/** The ranges of the font of the package: Latin, Greek, Cyrillic, punctuation and currencies. */
const ownCharacter = /[\u0020-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2116\u2122]/u;

/** Splits text into runs of one font each. */
export function splitByFont(text: string, hasWideFont: boolean): readonly FontRun[] {
  const runs: { font: FontRun['font']; text: string; isMissing: boolean }[] = [];
  for (const character of text.normalize('NFC').replaceAll(invisible, '')) {
    const isWide = wideCharacter.test(character);
    const isMissing = isWide ? !hasWideFont : !ownCharacter.test(character);
    const font: FontRun['font'] = isWide && hasWideFont ? 'wide' : 'own';
    const last = runs.at(-1);
    const run = last?.font === font ? last : { font, text: '', isMissing: false };
    if (run !== last) runs.push(run);
    run.text += isMissing ? '?' : character;
    run.isMissing ||= isMissing;
  }
  return runs;
}
