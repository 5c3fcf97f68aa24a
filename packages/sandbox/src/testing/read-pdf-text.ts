import { inflateSync } from 'node:zlib';

/** Windows-1252 from 0x80 to 0x9f; Node's own decoder reads these bytes as Latin-1 in some versions. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

function decode(byte: number): string {
  return highCharacters[byte - 0x80] ?? String.fromCharCode(byte);
}

/** The text that a PDF of the standard fonts shows, one line for each show operator (`TJ`); kerning is left out. */
export function readPdfText(pdf: Buffer): string {
  const source = pdf.toString('latin1');
  const lines: string[] = [];
  for (const { index, 0: head } of source.matchAll(/\/FlateDecode\s*>>\s*stream\r?\n/g)) {
    const begin = index + head.length;
    const content = inflateSync(pdf.subarray(begin, source.indexOf('endstream', begin))).toString('latin1');
    for (const [, shown = ''] of content.matchAll(/\[([^\]]*)\] TJ/g)) {
      const hex = [...shown.matchAll(/<([0-9a-f]*)>/g)].map(([, digits]) => digits).join('');
      lines.push(Array.from(Buffer.from(hex, 'hex'), decode).join(''));
    }
  }
  return lines.join('\n');
}
