import type { ExportLine } from './markdown.ts';

/**
 * A PDF 1.4 in Courier, which every reader has: nothing is embedded, so only what Latin-1 holds can be shown, and every
 * other character is a question mark. The bytes are the same for the same text.
 */
export function renderPdf(lines: readonly ExportLine[]): Uint8Array {
  const rows = lines.flatMap(({ text }) => wrap(toLatin1(text)));
  const pages = Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) =>
    rows.slice(index * ROWS, (index + 1) * ROWS),
  );
  const kids = pages.map((_page, index) => `${FIRST_PAGE + 2 * index} 0 R`);
  return writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const drawn = `BT /F0 10 Tf 14 TL 56 786 Td\n${page.map((row) => `(${row}) Tj T*`).join('\n')}\nET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F0 3 0 R >> >> /Contents ${FIRST_PAGE + 2 * index + 1} 0 R >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
  ]);
}

/** What fits on A4 in this size. */
const ROWS = 52;
const COLUMNS = 80;
/** The number of the first object of a page: catalog, list of pages and font come before. */
const FIRST_PAGE = 4;

/** Rows of whole words, each as a PDF writes it; a longer word is cut. */
function wrap(text: string): readonly string[] {
  const rows = text.match(new RegExp(`.{1,${COLUMNS}}(?=\\s|$)|\\S{${COLUMNS}}`, 'g')) ?? [];
  return rows.map((row) => row.trim().replaceAll(/[\\()]/g, String.raw`\$&`));
}

/** One byte a character. */
function toLatin1(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/\p{Cc}|\p{Cf}/gu, '')
    .replaceAll(/[^\x20-\xff]/gu, '?');
}

/** The objects in the order of their numbers, the table of their places, and where that is. */
function writeObjects(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}
