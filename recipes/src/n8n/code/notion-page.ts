/**
 * JavaScript functions that make a Notion page for one atomic request: at most 100 blocks beside each other, 2,000
 * characters in a text and 100 texts in a block (developers.notion.com, "Request limits").
 */
export const notionPageCode = String.raw`
function notionTexts(pieces) {
  return pieces
    .flatMap(({ text, isBold, link }) =>
      (text.match(/[\s\S]{1,1000}/gu) || []).map((part) => ({
        type: 'text',
        text: link === undefined ? { content: part } : { content: part, link: { url: link } },
        ...(isBold ? { annotations: { bold: true } } : {}),
      })),
    )
    .slice(0, 100);
}

function notionBlock(type, pieces, more = {}) {
  return { object: 'block', type, [type]: { rich_text: notionTexts(pieces), ...more } };
}

function notionLine({ kind, pieces, isTask }) {
  if (isTask) return notionBlock('to_do', pieces, { checked: false });
  return notionBlock({ item: 'bulleted_list_item', heading: 'heading_3', paragraph: 'paragraph' }[kind], pieces);
}

function notionChildren(report, link) {
  const facts = factsOf(report).join(' · ');
  const blocks = [
    ...(facts === '' ? [] : [notionBlock('paragraph', [{ text: facts }])]),
    ...(link === undefined ? [] : [notionBlock('paragraph', [{ text: 'Open the report', link }])]),
    ...sectionsOf(report).flatMap(({ title, lines }) => [notionBlock('heading_2', [{ text: title }]), ...lines.map(notionLine)]),
  ];
  if (blocks.length <= 100) return blocks;
  return [...blocks.slice(0, 99), notionBlock('paragraph', [{ text: 'This is not all: the rest is in the report.' }])];
}
`;
