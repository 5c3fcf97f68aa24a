import { cutText } from '../../report/clean-text.ts';
import { plainText } from '../../report/plain-text.ts';
import { showTask } from '../../report/show-task.ts';
import type { DigestTask, TaskGroup } from '../../report/tasks.ts';
import type { Block, Inline, List, ListItem, Table, TableRow, TextTree } from '../../report/text-tree.ts';
import type { Words } from '../../words/en.ts';

/** A word that is longer than the column breaks, so that a phone never scrolls sideways. */
export const breakWords = 'word-break:break-word;overflow-wrap:anywhere';

export const colors = {
  page: '#eef0f3',
  card: '#ffffff',
  text: '#1d2229',
  muted: '#57606c',
  accent: '#1f5fbf',
  onAccent: '#ffffff',
  line: '#d9dde3',
  soft: '#f4f6f8',
} as const;

/** HTML with escaped text. */
export type Html = string;

/** Context of a block: text in tables and lists has smaller margins. */
interface Place {
  readonly isTight: boolean;
  /** Number of enclosing lists and quotes. */
  readonly depth: number;
}

const atTop: Place = { isTight: false, depth: 0 };

/** Deeper lists and quotes are not indented further, because a phone has no room for it. */
const MAX_INDENT = 5;

/** Renders a tree as HTML with inline styles. Text is escaped and cannot become markup. Pure. */
export function htmlTree(tree: TextTree): Html {
  return tree.children.map((block) => htmlBlock(block)).join('\n');
}

/** Renders a tree inline: a single paragraph loses its element. */
export function htmlItem({ children }: TextTree): Html {
  const [only] = children;
  if (children.length === 1 && only?.type === 'paragraph') return htmlInlines(only.children);
  return htmlBlocks(children, { isTight: true, depth: 0 });
}

function htmlBlock(block: Block, place: Place = atTop): Html {
  const gap = place.isTight ? 4 : 12;
  switch (block.type) {
    case 'paragraph':
      return `<p dir="auto" style="margin:0 0 ${gap}px">${htmlInlines(block.children)}</p>`;
    case 'heading': {
      // The title of the mail is h1, its sections are h2.
      const level = Math.min(block.depth + 2, 6);
      const size = block.depth <= 2 ? 16 : 15;
      return `<h${level} dir="auto" style="margin:16px 0 6px;font-size:${size}px;line-height:1.35;font-weight:600">${htmlInlines(block.children)}</h${level}>`;
    }
    case 'list':
      return htmlList(block, place);
    case 'blockquote':
      return `<blockquote class="am-muted am-line" style="margin:0 0 12px;padding:2px 0 2px ${indent(place, 14)}px;border-left:3px solid ${colors.line};color:${colors.muted}">${htmlBlocks(block.children, deeper(place))}</blockquote>`;
    case 'code':
      return `<pre class="am-soft" dir="ltr" style="margin:0 0 12px;padding:10px 12px;background-color:${colors.soft};border-radius:6px;font:13px/1.5 Consolas,Menlo,monospace;white-space:pre-wrap;${breakWords}">${escapeHtml(block.value)}</pre>`;
    case 'table':
      return htmlTable(block);
    case 'thematicBreak':
      return `<hr class="am-line" style="margin:16px 0;border:0;border-top:1px solid ${colors.line}">`;
    default:
      return block satisfies never;
  }
}

function htmlBlocks(blocks: readonly Block[], place: Place): Html {
  return blocks.map((block) => htmlBlock(block, place)).join('');
}

function htmlList({ ordered, start = 1, children }: List, place: Place): Html {
  const tag = ordered ? 'ol' : 'ul';
  const from = ordered && start !== 1 ? ` start="${Math.trunc(start)}"` : '';
  const room = indent(place, 22);
  // Equal padding on both sides, because the direction of the text decides where the bullets are.
  return `<${tag}${from} dir="auto" style="margin:0 0 ${place.isTight ? 4 : 12}px;padding:0 ${room}px">${children
    .map((item) => htmlListItem(item, deeper(place)))
    .join('')}</${tag}>`;
}

function htmlListItem({ checked, children }: ListItem, place: Place): Html {
  const box = checked === undefined ? '' : `${checked ? '☑' : '☐'}&nbsp;`;
  const marker = checked === undefined ? '' : 'list-style-type:none;';
  const [first, ...rest] = children;
  // Outlook would show a paragraph element below its bullet.
  const begin = first?.type === 'paragraph' ? htmlInlines(first.children) : htmlBlockOrNothing(first, place);
  return `<li dir="auto" style="${marker}margin:0 0 4px">${box}${begin}${htmlBlocks(rest, place)}</li>`;
}

function htmlBlockOrNothing(first: Block | undefined, place: Place): Html {
  return first === undefined ? '' : htmlBlock(first, place);
}

function htmlTable({ children }: Table): Html {
  const [head, ...rows] = children;
  const begin = head === undefined ? '' : `<thead>${htmlTableRow('th', head)}</thead>`;
  const body = rows.map((row) => htmlTableRow('td', row)).join('');
  return `<table width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;table-layout:fixed;border-collapse:collapse;margin:0 0 12px;font-size:14px">${begin}<tbody>${body}</tbody></table>`;
}

function htmlTableRow(tag: 'td' | 'th', { children }: TableRow): Html {
  const scope = tag === 'th' ? ' scope="col"' : '';
  const style = `padding:6px 8px;border:1px solid ${colors.line};text-align:start;vertical-align:top;${breakWords}`;
  const cells = children.map(
    (cell) =>
      `<${tag} class="am-line" dir="auto"${scope} style="${style}">${htmlInlines(cell.children)}</${tag}>`,
  );
  return `<tr>${cells.join('')}</tr>`;
}

function htmlInlines(inlines: readonly Inline[]): Html {
  return inlines.map(htmlInline).join('');
}

function htmlInline(node: Inline): Html {
  switch (node.type) {
    case 'text':
      return escapeHtml(node.value);
    case 'strong':
      return `<strong>${htmlInlines(node.children)}</strong>`;
    case 'emphasis':
      return `<em>${htmlInlines(node.children)}</em>`;
    case 'delete':
      return `<s>${htmlInlines(node.children)}</s>`;
    case 'inlineCode':
      return `<code class="am-soft" style="padding:1px 4px;background-color:${colors.soft};border-radius:4px;font-family:Consolas,Menlo,monospace;font-size:.92em">${escapeHtml(node.value)}</code>`;
    case 'link':
      // The parser guarantees the scheme; checked again before mail leaves.
      if (!/^(?:https?|mailto):/i.test(node.url)) return htmlInlines(node.children);
      return `<a href="${escapeHtml(node.url)}" style="color:${colors.accent}">${htmlInlines(node.children)}</a>`;
    case 'break':
      return '<br>';
    default:
      return node satisfies never;
  }
}

function deeper({ depth }: Place): Place {
  return { isTight: true, depth: depth + 1 };
}

function indent({ depth }: Place, usual: number): number {
  return depth < MAX_INDENT ? usual : 0;
}

/** One row of a task table. */
export interface TaskRow {
  readonly text: TextTree;
  readonly owner?: string;
  readonly due?: string;
}

/** All tasks of all groups, in order. */
export function listTaskRows(groups: readonly TaskGroup[]): readonly TaskRow[] {
  return groups.flatMap(({ owner, tasks }) => tasks.map((task) => writeRow(task, owner)));
}

function writeRow(task: DigestTask, owner: string | undefined): TaskRow {
  const date = task.dueDate ?? task.due;
  return {
    text: showTask(task),
    ...(owner === undefined ? {} : { owner }),
    ...(date === undefined ? {} : { due: date }),
  };
}

/** A table of task, owner and due date with as many rows as fit into `room` bytes; empty columns are left out. */
export function htmlTasks(
  rows: readonly TaskRow[],
  room: number,
  words: Words,
  ownerTitle = words.owner,
): Fitted {
  const columns = [
    ...(rows.some(({ owner }) => owner !== undefined) ? [{ title: ownerTitle, read: readOwner }] : []),
    ...(rows.some(({ due }) => due !== undefined)
      ? [{ title: words.dueTitle, read: (row: TaskRow) => readDue(row, words) }]
      : []),
  ];
  const begin = `<table class="am-tasks" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;table-layout:fixed;border-collapse:collapse;font-size:14px;line-height:1.45"><thead><tr>${[
    words.task,
    ...columns.map(({ title }) => title),
  ]
    .map((title, place) => htmlHead(title, place === 0))
    .join('')}</tr></thead><tbody>`;
  const end = '</tbody></table>';
  const write = (row: TaskRow): Html =>
    htmlRow(
      row,
      columns.map(({ read }) => read(row)),
    );
  const fitted = fitItems(rows, write, room - Buffer.byteLength(begin) - end.length - 2);
  if (fitted.html === '') return { html: '', bytes: 0, isCut: rows.length > 0 };
  const html = `${begin}\n${fitted.html}\n${end}`;
  return { html, bytes: Buffer.byteLength(html), isCut: fitted.isCut };
}

function readOwner({ owner }: TaskRow): string {
  return owner ?? '';
}

function readDue({ due }: TaskRow, words: Words): string {
  return due === undefined ? '' : words.day(due);
}

const line = `border-bottom:1px solid ${colors.line}`;

function htmlHead(title: string, isFirst: boolean): Html {
  const width = isFirst ? '' : ' width="23%"';
  return `<th class="am-muted am-line" scope="col" align="left"${width} style="padding:0 0 6px ${isFirst ? 0 : 12}px;${line};font-size:12px;font-weight:600;text-align:start;color:${colors.muted}">${escapeHtml(title)}</th>`;
}

function htmlRow({ text }: TaskRow, beside: readonly string[]): Html {
  const cells = beside.map((value) =>
    value === ''
      ? `<td class="am-line" style="${line}"></td>`
      : `<td class="am-side am-muted am-line" dir="auto" valign="top" style="padding:9px 0 9px 12px;${line};color:${colors.muted};${breakWords}">${escapeHtml(value)}</td>`,
  );
  return `<tr class="am-line"><td class="am-line" dir="auto" valign="top" style="padding:9px 0;${line};${breakWords}">${htmlItem(text)}</td>${cells.join('')}</tr>`;
}

const begin =
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;table-layout:fixed;margin:0 0 8px">';

const end = '</table>';

/** A list of decisions with check marks, as many as fit into `room` bytes. */
export function htmlDecisions(decisions: readonly TextTree[], room: number): Fitted {
  const fitted = fitItems(decisions, htmlDecision, room - begin.length - end.length - 2);
  if (fitted.html === '') return { html: '', bytes: 0, isCut: decisions.length > 0 };
  const html = `${begin}\n${fitted.html}\n${end}`;
  return { html, bytes: Buffer.byteLength(html), isCut: fitted.isCut };
}

function htmlDecision(decision: TextTree): Html {
  return `<tr><td class="am-accent" width="26" valign="top" style="width:26px;padding:4px 0;font-weight:700;color:${colors.accent}">✓</td><td dir="auto" valign="top" style="padding:4px 0">${htmlItem(decision)}</td></tr>`;
}

/** Content that fits into the given room. */
export interface Fitted {
  readonly html: Html;
  /** UTF-8. */
  readonly bytes: number;
  readonly isCut: boolean;
}

/** Minimum bytes for the beginning of a cut paragraph. */
const MIN_CUT_BYTES = 300;

/** Renders the first blocks of a tree that fit into `room` bytes, and the beginning of the next one. */
export function fitTree({ children }: TextTree, room: number): Fitted {
  const parts: Html[] = [];
  let bytes = 0;
  for (const block of children.flatMap(splitList)) {
    const html = htmlBlock(block);
    const size = Buffer.byteLength(html) + 1;
    if (bytes + size > room) {
      const beginning = cutBlock(block, room - bytes);
      if (beginning !== '') parts.push(beginning);
      return { html: parts.join('\n'), bytes: bytes + Buffer.byteLength(beginning) + 1, isCut: true };
    }
    parts.push(html);
    bytes += size;
  }
  return { html: parts.join('\n'), bytes, isCut: false };
}

/** Renders the first items that fit; the rest is not rendered at all. */
export function fitItems<Item>(items: readonly Item[], write: (item: Item) => Html, room: number): Fitted {
  const pieces: Html[] = [];
  let bytes = 0;
  for (const item of items) {
    const piece = write(item);
    const size = Buffer.byteLength(piece) + 1;
    if (bytes + size > room) break;
    pieces.push(piece);
    bytes += size;
  }
  return { html: pieces.join('\n'), bytes, isCut: pieces.length < items.length };
}

/** Splits a long list, so that a part of it can be shown. */
function splitList(block: Block): readonly Block[] {
  if (block.type !== 'list' || block.children.length <= 40) return [block];
  const pieces: Block[] = [];
  for (let from = 0; from < block.children.length; from += 40) {
    const children = block.children.slice(from, from + 40);
    pieces.push({ ...block, children, ...(block.ordered ? { start: (block.start ?? 1) + from } : {}) });
  }
  return pieces;
}

/** The beginning of a block as plain text. Halves the length until it fits, because escaping can take six bytes a character. */
function cutBlock(block: Block, room: number): Html {
  let length = room - 100;
  while (length >= MIN_CUT_BYTES) {
    const html = htmlText(cutText(plainText({ type: 'root', children: [block] }), length));
    if (Buffer.byteLength(html) + 1 <= room) return html;
    length = Math.floor(length / 2);
  }
  return '';
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

export function htmlHeading(text: string): Html {
  return `<h2 dir="auto" style="margin:28px 0 10px;font-size:18px;line-height:1.3;font-weight:650">${escapeHtml(text)}</h2>`;
}

export function htmlNote(text: string): Html {
  return `<p class="am-muted" dir="auto" style="margin:0 0 8px;font-size:13px;color:${colors.muted}">${escapeHtml(text)}</p>`;
}

/** The paragraph right under a title. */
export function htmlLead(tree: TextTree): Html {
  return `<p dir="auto" style="margin:0 0 12px;font-size:17px;line-height:1.45">${htmlItem(tree)}</p>`;
}

/** A paragraph of plain text with its line breaks. */
export function htmlText(plain: string): Html {
  const lines = plain.split('\n').map(escapeHtml);
  return `<p dir="auto" style="margin:0 0 12px">${lines.join('<br>')}</p>`;
}

export function htmlLink(url: string, text: string): Html {
  return `<a class="am-accent" href="${escapeHtml(url)}" style="color:${colors.accent}">${escapeHtml(text)}</a>`;
}
