/** JavaScript functions that make a mail: plain text, and HTML in which every text is escaped. */
export const mailMessageCode = String.raw`
function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function isAddress(text) {
  return /^[A-Za-z0-9.!#$%&'*+\/=?^_{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text);
}

function listAddresses(text) {
  return [...new Set(String(text).split(',').map((one) => one.trim()).filter(isAddress))];
}

function isExcepted(address, excepted) {
  const words = String(excepted).toLowerCase().split(',').map((one) => one.trim().replace(/^@/, '')).filter(Boolean);
  const domain = address.toLowerCase().slice(address.lastIndexOf('@') + 1);
  return words.some((one) => (one.includes('@') ? one === address.toLowerCase() : domain === one));
}

// Whoever took part and belongs to one of the domains: nobody else is written to.
function insiders(report, domains) {
  const wanted = String(domains).toLowerCase().split(',').map((one) => one.trim()).filter(Boolean);
  const addresses = report.attendees.map(({ email }) => email.toLowerCase()).filter(isAddress);
  return [...new Set(addresses.filter((one) => wanted.includes(one.slice(one.lastIndexOf('@') + 1))))];
}

function htmlPieces(pieces) {
  return pieces
    .map(({ text, isBold, link }) => {
      const shown = isBold ? '<b>' + escapeHtml(text) + '</b>' : escapeHtml(text);
      return link === undefined ? shown : '<a href="' + escapeHtml(link) + '">' + shown + '</a>';
    })
    .join('');
}

function htmlLines(lines) {
  const parts = lines.map(({ kind, pieces }) => (kind === 'item' ? '<li>' + htmlPieces(pieces) + '</li>' : '<p>' + htmlPieces(pieces) + '</p>'));
  return parts.join('\n').replace(/(?:<li>.*<\/li>\n?)+/g, (list) => '<ul>\n' + list.trimEnd() + '\n</ul>\n');
}

function mailBody(title, facts, sections, link) {
  const text = [
    title,
    facts.join(' · '),
    ...sections.map(({ title: name, lines }) => name + '\n' + plainOf(lines)),
    link === undefined ? '' : 'Open the report: ' + link,
  ].filter(Boolean).join('\n\n');
  const body = [
    '<h1 style="font-size:20px">' + escapeHtml(title) + '</h1>',
    facts.length === 0 ? '' : '<p>' + escapeHtml(facts.join(' · ')) + '</p>',
    ...sections.map(({ title: name, lines }) => '<h2 style="font-size:16px">' + escapeHtml(name) + '</h2>\n' + htmlLines(lines)),
    link === undefined ? '' : '<p><a href="' + escapeHtml(link) + '">Open the report</a></p>',
  ].filter(Boolean).join('\n');
  return { text, html: '<div style="font-family:sans-serif;max-width:600px">\n' + body + '\n</div>' };
}
`;
