import { buffer } from 'node:stream/consumers';

import type { MarkdownBlock } from './read-markdown.ts';
import { splitByFont } from './split-by-font.ts';

const margin = 56;
const bulletIndent = 14;
const sizes = { title: 20, heading: 14, subheading: 12, text: 10.5, note: 8 };

const missingNote =
  'A question mark stands for what the fonts here do not have. For Chinese and Japanese install @expo-google-fonts/noto-sans-sc beside the sandbox.';

/**
 * A PDF with its fonts embedded. Latin, Greek and Cyrillic are always right; Chinese and Japanese need the optional
 * font. What no font has becomes `?`, and a last line says so. The same bytes for the same content and time (Unix
 * milliseconds).
 */
export async function renderPdf(
  title: string,
  blocks: readonly MarkdownBlock[],
  nowMs: number,
): Promise<Uint8Array> {
  // Loaded with the first export: a sandbox starts faster without it.
  const [{ default: PDFDocument }, { loadPdfFonts }] = await Promise.all([
    import('pdfkit'),
    import('./pdf-fonts.ts'),
  ]);
  const now = new Date(nowMs);
  const info = { Title: title, Creator: 'Sandbox', CreationDate: now, ModDate: now };
  const document = new PDFDocument({ size: 'A4', margin, bufferPages: true, info });
  const fonts = loadPdfFonts();
  for (const { name, regular, bold } of fonts) {
    document.registerFont(name, regular).registerFont(`${name}-Bold`, bold);
  }
  let isSomethingMissing = false;
  for (const { kind, level, runs } of blocks) {
    const pieces = runs.flatMap(({ text, isBold }) =>
      splitByFont(text, fonts).map((piece) => ({ ...piece, isBold: isBold || kind === 'heading' })),
    );
    isSomethingMissing ||= pieces.some(({ isMissing }) => isMissing);
    document.fontSize(chooseSize(level)).moveDown(kind === 'heading' ? 0.6 : 0);
    if (kind === 'bullet') {
      document.font(fonts[0].name).text('•', margin, document.y, { continued: false }).moveUp();
    }
    const left = margin + (kind === 'bullet' ? bulletIndent : 0);
    for (const [index, { font, text, isBold }] of pieces.entries()) {
      const continued = index < pieces.length - 1;
      document.font(isBold ? `${font.name}-Bold` : font.name);
      if (index === 0) document.text(text, left, document.y, { continued });
      else document.text(text, { continued });
    }
    document.moveDown(kind === 'bullet' ? 0.1 : 0.4);
  }
  document.font(fonts[0].name).fontSize(sizes.note);
  if (isSomethingMissing) document.text(missingNote, margin, document.y);
  numberPages(document);
  document.end();
  return buffer(document);
}

/** `2 / 3` at the foot of every page. */
function numberPages(document: PDFKit.PDFDocument): void {
  const { start, count } = document.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    document.switchToPage(index);
    // What is written into the lower margin would begin a page of its own.
    document.page.margins.bottom = 0;
    const y = document.page.height - margin / 2 - sizes.note;
    const width = document.page.width - 2 * margin;
    document.text(`${String(index + 1)} / ${String(count)}`, margin, y, { width, align: 'right' });
  }
}

function chooseSize(level: number): number {
  if (level === 0) return sizes.text;
  if (level === 1) return sizes.title;
  return level === 2 ? sizes.heading : sizes.subheading;
}
