import { crc32 } from 'node:zlib';

import type { ExportLine } from './markdown.ts';

/** A Word document (Office Open XML) of paragraphs and headings, and nothing more. */
export function renderDocx(lines: readonly ExportLine[]): Uint8Array {
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="${packageNames}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${wordType}.document.main+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageNames}/relationships"><Relationship Id="r1" Type="${officeNames}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `${head}<w:document ${wordNames}><w:body>${lines.map(writeParagraph).join('')}</w:body></w:document>`,
  });
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const packageNames = 'http://schemas.openxmlformats.org/package/2006';
const officeNames = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const wordNames = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

function writeParagraph({ level, text }: ExportLine): string {
  const look = level === 0 ? '' : `<w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr>`;
  const bold = level === 0 ? '' : '<w:rPr><w:b/></w:rPr>';
  return `<w:p>${look}<w:r>${bold}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

/** Characters that XML 1.0 does not allow. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const unwritable = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeXml(text: string): string {
  return text.replaceAll(unwritable, '').replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign);
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
