import type { Table } from '../text/text-tree.ts';
import { makeBlock, type NotionBlock, notionLimits, type NotionText } from './notion-page.ts';
import { chunkRuns, makeRuns, toRuns } from './rich-text.ts';
import { weighBlock } from './weigh-block.ts';

/** Of one table, so that a request holds it beside other things. */
const tableBytes = 100_000;

/**
 * A table as Notion's tables of at most 100 rows, each with the head above it. One that is too wide or too heavy, or
 * that stands where no rows can be inside it, becomes lines of text. Pure.
 */
export function renderTable(table: Table, hasRoom: boolean): NotionBlock[] {
  const rows = table.children.map((row) => row.children.map((cell) => toRuns(cell.children)));
  const [head, ...body] = rows;
  if (head === undefined || head.length === 0) return [];
  const isTable = hasRoom && head.length <= notionLimits.items && rows.every((row) => row.every(fitsCell));
  if (!isTable) return rows.flatMap(renderLine);
  const lots: NotionBlock[][] = [];
  const headRow = makeRow(head, head.length);
  const headBytes = weighBlock(headRow).bytes;
  if (headBytes > tableBytes / 2) return rows.flatMap(renderLine);
  let room = 0;
  for (const row of body.map((cells) => makeRow(cells, head.length))) {
    const { bytes } = weighBlock(row);
    if (bytes > tableBytes / 2) return rows.flatMap(renderLine);
    const lot = lots.at(-1);
    if (lot === undefined || lot.length >= notionLimits.items || bytes > room) {
      lots.push([headRow, row]);
      room = tableBytes - headBytes;
    } else lot.push(row);
    room -= bytes;
  }
  return (lots.length === 0 ? [[headRow]] : lots).map((children) =>
    makeBlock('table', { table_width: head.length, has_column_header: true, children }),
  );
}

function fitsCell(runs: readonly NotionText[]): boolean {
  return runs.length <= notionLimits.items;
}

function makeRow(cells: readonly (readonly NotionText[])[], width: number): NotionBlock {
  return makeBlock('table_row', { cells: Array.from({ length: width }, (_, index) => cells[index] ?? []) });
}

function renderLine(cells: readonly (readonly NotionText[])[]): NotionBlock[] {
  const runs = cells.flatMap((cell, index) => (index === 0 ? cell : [...makeRuns(' | '), ...cell]));
  return chunkRuns(runs).map((rich_text) => makeBlock('paragraph', { rich_text }));
}
