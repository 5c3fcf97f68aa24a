import type { Table as MdastTable } from 'mdast';

import { type CleanContext, cleanInlines, mergeInlines } from './clean-inlines.ts';
import type { Block, Inline, TableCell } from './text-tree.ts';

const maxColumns = 50;
/** A row of one cell is filled up to the width of the head: 2000 columns and 18,000 rows would be 36 million cells. */
const maxCells = 5000;

/** A table with as many cells in each row as in its head; one too large for that as lines of text. */
export function cleanTable(table: MdastTable, context: CleanContext): Block[] {
  const rows = table.children.map((row) => row.children.map((cell) => cleanInlines(cell.children, context)));
  const width = rows[0]?.length ?? 0;
  if (!rows.flat().some((cell) => cell.length > 0)) return [];
  if (width > maxColumns || width * rows.length > maxCells) return rows.flatMap(rowAsText);
  return [
    {
      type: 'table',
      children: rows.map((cells) => ({ type: 'tableRow', children: fitRow(cells, width) })),
    },
  ];
}

function fitRow(cells: readonly (readonly Inline[])[], width: number): TableCell[] {
  const fitting = cells.slice(0, width).map((children): TableCell => ({ type: 'tableCell', children }));
  const surplus = cells.slice(width).filter((cell) => cell.length > 0);
  const last = fitting.at(-1);
  if (surplus.length > 0 && last !== undefined) {
    fitting[fitting.length - 1] = { type: 'tableCell', children: joinCells([last.children, ...surplus]) };
  }
  while (fitting.length < width) fitting.push({ type: 'tableCell', children: [] });
  return fitting;
}

function rowAsText(cells: readonly (readonly Inline[])[]): Block[] {
  const filled = cells.filter((cell) => cell.length > 0);
  return filled.length === 0 ? [] : [{ type: 'paragraph', children: joinCells(filled) }];
}

/** Cells as one line of text, with ` | ` between them. */
function joinCells(cells: readonly (readonly Inline[])[]): Inline[] {
  const bar = { type: 'text', value: ' | ' } as const;
  return mergeInlines(cells.flatMap((cell, at) => (at === 0 ? cell : [bar, ...cell])));
}
