import type { DigestTask, TaskGroup } from '../digest.ts';
import type { TextTree } from '../text/text-tree.ts';
import { escapeHtml } from './escape-html.ts';
import { type Fitted, fitItems } from './fit-html.ts';
import { type Html, htmlItem } from './html-tree.ts';
import { breakWords, colors } from './mail-style.ts';

/** One row of a table of tasks: what, and up to two things beside it. */
export interface TaskRow {
  readonly text: TextTree;
  readonly owner?: string;
  readonly due?: string;
}

/** Every task of every group, in their order. */
export function listTaskRows(groups: readonly TaskGroup[]): readonly TaskRow[] {
  return groups.flatMap(({ owner, tasks }) => tasks.map((task) => writeRow(task, owner)));
}

function writeRow({ text, due, dueDate }: DigestTask, owner: string | undefined): TaskRow {
  const date = dueDate ?? due;
  return { text, ...(owner === undefined ? {} : { owner }), ...(date === undefined ? {} : { due: date }) };
}

/** A table of task, owner and due date, as many rows as fit into `room` bytes; a column that would be empty is left out. */
export function htmlTasks(rows: readonly TaskRow[], room: number, ownerTitle = 'Owner'): Fitted {
  const columns = [
    ...(rows.some(({ owner }) => owner !== undefined) ? [{ title: ownerTitle, read: readOwner }] : []),
    ...(rows.some(({ due }) => due !== undefined) ? [{ title: 'Due', read: readDue }] : []),
  ];
  const begin = `<table class="am-tasks" width="100%" cellpadding="0" cellspacing="0" border="0" style="width:100%;table-layout:fixed;border-collapse:collapse;font-size:14px;line-height:1.45"><thead><tr>${[
    'Task',
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

function readDue({ due }: TaskRow): string {
  return due ?? '';
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
