import type { Block, Inline, List, ListItem, Table, TableRow, TextTree } from '../text/text-tree.ts';
import { escapeHtml } from './escape-html.ts';
import { breakWords, colors } from './mail-style.ts';

/** HTML whose text is escaped already. */
export type Html = string;

/** Where a text stands: the words of a table or a list are closer together than those of the mail itself. */
interface Place {
  readonly isTight: boolean;
  /** How many lists and quotes are around it. */
  readonly depth: number;
}

const atTop: Place = { isTight: false, depth: 0 };
/** Deeper lists and quotes are not moved to the right any more: a phone has no room for it. */
const deepestIndent = 5;

/** A tree as HTML with inline styles that mail readers keep; nothing of the text can become markup. Pure. */
export function htmlTree(tree: TextTree): Html {
  return tree.children.map((block) => htmlBlock(block)).join('\n');
}

/** A tree where one line is expected: a single paragraph stands without its element. */
export function htmlItem({ children }: TextTree): Html {
  const [only] = children;
  if (children.length === 1 && only?.type === 'paragraph') return htmlInlines(only.children);
  return htmlBlocks(children, { isTight: true, depth: 0 });
}

/** One block of a tree; lists take `depth` into account. */
export function htmlBlock(block: Block, place: Place = atTop): Html {
  const gap = place.isTight ? 4 : 12;
  switch (block.type) {
    case 'paragraph':
      return `<p dir="auto" style="margin:0 0 ${gap}px">${htmlInlines(block.children)}</p>`;
    case 'heading': {
      // The mail has one h1 and its sections are h2.
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
  // The same room on both sides: the text decides on which one its bullets stand.
  return `<${tag}${from} dir="auto" style="margin:0 0 ${place.isTight ? 4 : 12}px;padding:0 ${room}px">${children
    .map((item) => htmlListItem(item, deeper(place)))
    .join('')}</${tag}>`;
}

function htmlListItem({ checked, children }: ListItem, place: Place): Html {
  const box = checked === undefined ? '' : `${checked ? '☑' : '☐'}&nbsp;`;
  const marker = checked === undefined ? '' : 'list-style-type:none;';
  const [first, ...rest] = children;
  // A paragraph of its own would stand below its bullet in Outlook.
  const begin = first?.type === 'paragraph' ? htmlInlines(first.children) : htmlFirst(first, place);
  return `<li dir="auto" style="${marker}margin:0 0 4px">${box}${begin}${htmlBlocks(rest, place)}</li>`;
}

function htmlFirst(first: Block | undefined, place: Place): Html {
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
      // The tree promises it; what leaves for other people's screens is looked at twice.
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
  return depth < deepestIndent ? usual : 0;
}
