import { crc32 } from 'node:zlib';

import type { MarkdownBlock } from './markdown.ts';

/** A Word document (Office Open XML) with headings, bullets and bold text, and nothing more. */
export function renderDocx(title: string, blocks: readonly MarkdownBlock[]): Uint8Array {
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="${packageNames}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${wordType}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageNames}/relationships"><Relationship Id="r1" Type="${officeNames}/officeDocument" Target="word/document.xml"/><Relationship Id="r2" Type="${packageNames}/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`,
    'docProps/core.xml': `${head}<cp:coreProperties xmlns:cp="${packageNames}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:creator>Sandbox</dc:creator></cp:coreProperties>`,
    'word/_rels/document.xml.rels': `${head}<Relationships xmlns="${packageNames}/relationships"><Relationship Id="r1" Type="${officeNames}/styles" Target="styles.xml"/></Relationships>`,
    'word/styles.xml': `${head}<w:styles ${wordNames}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>${styles}</w:styles>`,
    'word/document.xml': `${head}<w:document ${wordNames}><w:body>${blocks.map(writeParagraph).join('')}</w:body></w:document>`,
  });
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageNames = 'http://schemas.openxmlformats.org/package/2006';
const officeNames = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const wordNames = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const headings = ['Title', 'Heading1', 'Heading2', 'Heading3'] as const;

/** In half points. */
const headingSizes = [40, 32, 26, 24] as const;

const styles = headings
  .map(
    (id, index) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id.replace(/^Heading/, 'heading ')}"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="80"/></w:pPr><w:rPr><w:b/><w:sz w:val="${headingSizes[index]}"/></w:rPr></w:style>`,
  )
  .join('');

function writeParagraph({ kind, level, runs }: MarkdownBlock): string {
  const texts = runs.map(
    ({ text, isBold }) =>
      `<w:r>${isBold ? '<w:rPr><w:b/></w:rPr>' : ''}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`,
  );
  const bullet = kind === 'bullet' ? '<w:r><w:t xml:space="preserve">• </w:t></w:r>' : '';
  return `<w:p><w:pPr>${writeLook(kind, level)}</w:pPr>${bullet}${texts.join('')}</w:p>`;
}

function writeLook(kind: MarkdownBlock['kind'], level: number): string {
  if (kind === 'bullet') return '<w:ind w:left="360" w:hanging="180"/>';
  if (kind === 'paragraph') return '<w:spacing w:after="120"/>';
  return `<w:pStyle w:val="${headings[level - 1] ?? 'Heading3'}"/>`;
}

/** Characters that XML 1.0 does not allow. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeXml(text: string): string {
  return text.replaceAll(unwritable, '').replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** A ZIP file (APPNOTE 6.3) whose entries are stored as they are, with UTF-8 names and without times. */
function zip(files: Readonly<Record<string, string>>): Uint8Array {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    const path = Buffer.from(name);
    const facts = Buffer.concat([
      shorts(20, 0x0800, 0, 0, 0x21),
      longs(crc32(bytes), bytes.length, bytes.length),
      shorts(path.length, 0),
    ]);
    local.push(longs(0x0403_4b50), facts, path, bytes);
    central.push(longs(0x0201_4b50), shorts(20), facts, shorts(0, 0, 0), longs(0, at), path);
    at += 4 + facts.length + path.length + bytes.length;
  }
  const count = Object.keys(files).length;
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = [longs(0x0605_4b50), shorts(0, 0, count, count), longs(size, at), shorts(0)];
  return Buffer.concat([...local, ...central, ...end]);
}

/** Each number in two bytes, the lower first. */
function shorts(...numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number & 0xff, number >>> 8]));
}

/** Each number in four bytes, the lowest first. */
function longs(...numbers: readonly number[]): Buffer {
  return shorts(...numbers.flatMap((number) => [number & 0xffff, number >>> 16]));
}
