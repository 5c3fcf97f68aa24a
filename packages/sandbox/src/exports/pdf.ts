import type { MarkdownBlock } from './markdown.ts';

/**
 * A PDF 1.4 in Helvetica, which every reader has: nothing is embedded, so only what Windows-1252 holds can be shown, and
 * every other character is a question mark. The bytes are the same for the same text.
 */
export function renderPdf(title: string, blocks: readonly MarkdownBlock[]): Uint8Array {
  const pages = layOut(noteMissing(blocks));
  const pageIds = pages.map((_page, index) => FIRST_PAGE + 2 * index);
  return writeObjects([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`,
    `<< /Title ${writeText(toBytes(title))} /Creator (Sandbox) >>`,
    writeFont('Helvetica'),
    writeFont('Helvetica-Bold'),
    ...pages.flatMap((lines, index) => {
      const drawn = lines.map(writeLine).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Resources << /Font << /F0 4 0 R /F1 5 0 R >> >> /Contents ${FIRST_PAGE + 2 * index + 1} 0 R >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
  ]);
}

/** A last line says why there are question marks. */
function noteMissing(blocks: readonly MarkdownBlock[]): readonly MarkdownBlock[] {
  const isMissing = blocks.some(({ runs }) =>
    runs.some(({ text }) => toBytes(text).includes('?') && !text.includes('?')),
  );
  const note =
    'A question mark stands for a character that a PDF of the sandbox cannot show; DOCX and Markdown have it.';
  return isMissing
    ? [...blocks, { kind: 'paragraph', level: 0, runs: [{ text: note, isBold: false }] }]
    : blocks;
}

/** A4, in points. */
const WIDTH = 595;
const HEIGHT = 842;
const MARGIN = 56;
const INDENT = 14;
/** The number of the first object of a page: catalog, list of pages, facts and two fonts come before. */
const FIRST_PAGE = 6;
/** Title, heading, lower headings. */
const headingSizes = [20, 14, 12];
const TEXT_SIZE = 10.5;

interface Piece {
  readonly text: string;
  readonly isBold: boolean;
}

interface Line {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly pieces: readonly Piece[];
}

function layOut(blocks: readonly MarkdownBlock[]): readonly (readonly Line[])[] {
  const pages: Line[][] = [[]];
  let y = HEIGHT - MARGIN;
  for (const { kind, level, runs } of blocks) {
    const isHeading = kind === 'heading';
    const size = isHeading ? (headingSizes[level - 1] ?? 12) : TEXT_SIZE;
    const x = MARGIN + (kind === 'bullet' ? INDENT : 0);
    const words = runs.flatMap(({ text, isBold }) =>
      (text.match(/\S+\s*|\s+/g) ?? []).map((word) => ({ text: toBytes(word), isBold: isBold || isHeading })),
    );
    if (isHeading) y -= size * 0.6;
    for (const [index, pieces] of wrap(words, WIDTH - MARGIN - x, size).entries()) {
      y -= size * 1.3;
      if (y < MARGIN) {
        pages.push([]);
        y = HEIGHT - MARGIN - size * 1.3;
      }
      const page = pages.at(-1);
      if (kind === 'bullet' && index === 0)
        page?.push({ x: MARGIN, y, size, pieces: [{ text: toBytes('•'), isBold: false }] });
      page?.push({ x, y, size, pieces });
    }
    y -= kind === 'bullet' ? 2 : 5;
  }
  return pages;
}

/** What a character of Helvetica takes of its size, with some room for wide ones. */
const WIDE = 0.53;

function wrap(words: readonly Piece[], width: number, size: number): readonly (readonly Piece[])[] {
  const perLine = Math.max(1, Math.floor(width / (size * WIDE)));
  const lines: Piece[][] = [[]];
  let used = 0;
  for (const word of words) {
    for (let at = 0; at < word.text.length; at += perLine) {
      const text = word.text.slice(at, at + perLine);
      if (used + text.trimEnd().length > perLine) {
        lines.push([]);
        used = 0;
      }
      const line = lines.at(-1);
      const last = line?.at(-1);
      if (last?.isBold === word.isBold) line?.splice(-1, 1, { ...last, text: last.text + text });
      else line?.push({ ...word, text });
      used += text.length;
    }
  }
  return lines;
}

function writeLine({ x, y, size, pieces }: Line): string {
  const drawn = pieces.map(({ text, isBold }) => `/F${isBold ? 1 : 0} ${size} Tf ${writeText(text)} Tj`);
  return `BT ${x} ${y.toFixed(2)} Td ${drawn.join(' ')} ET`;
}

function writeFont(name: string): string {
  return `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
}

/** A string of bytes as a PDF writes it. */
function writeText(bytes: string): string {
  return `(${bytes.replaceAll(/[\\()]/g, String.raw`\$&`)})`;
}

/** What Windows-1252 has from 0x80 on, where Unicode has control characters. A question mark stands for what is not used. */
const windowsSigns = Array.from('€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ');

/** The bytes of a text in Windows-1252, one a character; others are a question mark, and invisible ones nothing. */
function toBytes(text: string): string {
  return Array.from(text.normalize('NFC').replaceAll(/[\p{Cc}\p{Cf}]/gu, ''), (sign) => {
    const index = sign === '?' ? -1 : windowsSigns.indexOf(sign);
    const code = index === -1 ? (sign.codePointAt(0) ?? 0) : 0x80 + index;
    return code < 0x100 ? String.fromCharCode(code) : '?';
  }).join('');
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
  const trailer = `trailer\n<< /Size ${count} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, 'latin1');
}
