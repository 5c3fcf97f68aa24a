import type { MarkdownBlock } from './markdown.ts';

/** A Word document (Office Open XML). Its bytes differ from one call to the next: the library writes the time into them. */
export async function renderDocx(title: string, blocks: readonly MarkdownBlock[]): Promise<Uint8Array> {
  // Loaded with the first export: the sandbox starts faster.
  const { Document, HeadingLevel, Packer, Paragraph, TextRun } = await import('docx');
  const headings = [HeadingLevel.TITLE, HeadingLevel.HEADING_1, HeadingLevel.HEADING_2];
  const children = blocks.map(({ kind, level, runs }) => {
    const texts = runs.map(({ text, isBold }) => new TextRun({ text, bold: isBold }));
    if (kind === 'bullet') return new Paragraph({ children: texts, bullet: { level: 0 } });
    if (kind === 'paragraph') return new Paragraph({ children: texts, spacing: { after: 120 } });
    return new Paragraph({ children: texts, heading: headings[level - 1] ?? HeadingLevel.HEADING_3 });
  });
  return Packer.toBuffer(new Document({ title, creator: 'Sandbox', sections: [{ children }] }));
}
