/**
 * JavaScript functions that make a Slack message: rich_text and plain_text alone, in which `<!channel>` and `<@U1>` are
 * letters; of the mrkdwn of `text` only the escaped letters. At most 9,000 characters in 50 blocks.
 */
export const slackMessageCode = String.raw`
function escapeMrkdwn(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function richPieces(pieces) {
  return pieces.map(({ text, isBold, link }) => {
    if (link !== undefined) return { type: 'link', url: link, text };
    return isBold ? { type: 'text', text, style: { bold: true } } : { type: 'text', text };
  });
}

function richBlock(title, lines) {
  const elements = [{ type: 'rich_text_section', elements: [{ type: 'text', text: title, style: { bold: true } }] }];
  for (const { kind, pieces } of lines) {
    const section = { type: 'rich_text_section', elements: richPieces(pieces) };
    const last = elements[elements.length - 1];
    if (kind !== 'item') {
      section.elements.unshift({ type: 'text', text: '\n' });
      elements.push(section);
    } else if (last.type === 'rich_text_list') last.elements.push(section);
    else elements.push({ type: 'rich_text_list', style: 'bullet', elements: [section] });
  }
  return { type: 'rich_text', elements };
}

function keepWithin(lines, budget) {
  const kept = [];
  let left = budget;
  for (const line of lines) {
    const pieces = [];
    for (const piece of line.pieces) {
      if (left < 2) break;
      const text = cutText(piece.text, left);
      left -= text.length + (piece.link || '').length;
      pieces.push({ ...piece, text });
    }
    if (pieces.length > 0) kept.push({ ...line, pieces });
    if (left < 2) break;
  }
  return { lines: kept, left, isCut: kept.length < lines.length || left < 2 };
}

function slackMessage(channel, title, facts, sections, link) {
  const blocks = [{ type: 'header', text: { type: 'plain_text', text: cutText(title, 150), emoji: false } }];
  if (facts.length > 0) {
    blocks.push({ type: 'context', elements: [{ type: 'plain_text', text: cutText(facts.join(' · '), 2000), emoji: false }] });
  }
  let budget = 8000;
  let isCut = false;
  for (const { title: name, lines } of sections) {
    const kept = keepWithin(lines.slice(0, 200), budget);
    budget = kept.left;
    isCut = isCut || kept.isCut || lines.length > 200;
    if (kept.lines.length > 0) blocks.push(richBlock(name, kept.lines));
  }
  const ending = [];
  if (isCut) ending.push({ type: 'text', text: 'This is not all: the rest is in the report. ' });
  if (link !== undefined) ending.push({ type: 'link', url: link, text: 'Open the report' });
  if (ending.length > 0) blocks.push({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: ending }] });
  const spoken = [title, facts.join(', '), ...sections.map(({ title: name, lines }) => name + '\n' + plainOf(lines))].join('\n');
  return { channel, text: cutText(escapeMrkdwn(cutText(spoken, 2500)), 12500), blocks, unfurl_links: false, unfurl_media: false };
}
`;
