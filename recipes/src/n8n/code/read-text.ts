/**
 * JavaScript functions that read the Markdown of a report: lines that are headings, items or paragraphs, made of
 * pieces that are plain, bold or links. A link leads to http, https or mailto, or it is text.
 */
export const readTextCode = String.raw`
function cutText(text, most) {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '');
  const space = cut.lastIndexOf(' ');
  return (space > most / 2 ? cut.slice(0, space) : cut) + '…';
}

function safeLink(address) {
  return /^(?:https?:\/\/[^\s<>"]+|mailto:[^\s<>"]+)$/i.test(address) && address.length <= 2000 ? address : undefined;
}

function readPieces(line) {
  const pieces = [];
  const pattern = /\*\*([^*]{1,2000})\*\*|\[([^\[\]]{1,500})\]\(([^()\s]{1,2000})\)|(https?:\/\/[^\s<>"()\[\]]{1,2000})/g;
  let from = 0;
  const add = (piece) => piece.text !== '' && pieces.push(piece);
  for (const match of line.matchAll(pattern)) {
    add({ text: line.slice(from, match.index) });
    const [whole, bold, label, target, bare] = match;
    const link = safeLink(target || bare || '');
    if (bold !== undefined) add({ text: bold, isBold: true });
    else if (link === undefined) add({ text: label || whole });
    else add({ text: label || bare, link });
    from = match.index + whole.length;
  }
  add({ text: line.slice(from) });
  return pieces;
}

function readLines(text) {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const item = /^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/.exec(line);
      const heading = /^#{1,6}\s+(.*)$/.exec(line);
      if (item !== null) return { kind: 'item', pieces: readPieces(item[1]) };
      if (heading !== null) return { kind: 'heading', pieces: [{ text: heading[1].replace(/\*\*/g, ''), isBold: true }] };
      return { kind: 'paragraph', pieces: readPieces(line) };
    })
    .filter(({ pieces }) => pieces.length > 0);
}

function taskLine(task) {
  return task.due === '' ? task.text : task.text + ' (due ' + task.due + ')';
}

function groupTasks(tasks) {
  const groups = new Map();
  for (const task of tasks) groups.set(task.owner, [...(groups.get(task.owner) || []), task]);
  const owned = [...groups].filter(([owner]) => owner !== '');
  return groups.has('') ? [...owned, ['', groups.get('')]] : owned;
}

function factsOf(report) {
  const minutes = Math.round(report.durationSeconds / 60);
  const shown = report.people.slice(0, 8).join(', ');
  const more = report.people.length > 8 ? ' and ' + (report.people.length - 8) + ' more' : '';
  return [report.startedAt, minutes > 0 ? minutes + ' min' : '', shown + more, report.source].filter(Boolean);
}

function linkOf(link, meetingId) {
  return link === undefined || link === '' ? undefined : safeLink(link.replaceAll('{meeting_id}', encodeURIComponent(meetingId)));
}

// The parts of a recap in the order in which people read them.
function sectionsOf(report) {
  const item = (text) => ({ kind: 'item', pieces: readPieces(text) });
  const tasks = groupTasks(report.tasks).flatMap(([owner, list]) => [
    { kind: 'heading', pieces: [{ text: owner || 'Nobody named', isBold: true }] },
    ...list.map((task) => ({ ...item(taskLine(task)), isTask: true })),
  ]);
  return [
    { title: 'Summary', lines: readLines(report.summary) },
    { title: 'Decisions', lines: report.decisions.map(item) },
    { title: 'Tasks', lines: tasks },
  ].filter(({ lines }) => lines.length > 0);
}

function plainOf(lines) {
  return lines.map(({ kind, pieces }) => (kind === 'item' ? '- ' : '') + pieces.map(({ text, link }) => (link && link !== text ? text + ' (' + link + ')' : text)).join('')).join('\n');
}
`;
