// What has no page of its own, as a plain one: rows, a request, a folder, the templates of a report.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const style = `
  body { margin: 0; padding: 28px 32px; background: #fff; color: #1d2128;
    font: 15px/1.5 system-ui, "Noto Sans", sans-serif; }
  h1 { font-size: 18px; margin: 0 0 14px; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: 8px 14px 8px 0; border-bottom: 1px solid #e2e5ea; }
  th { color: #626b78; font-weight: 500; }
  pre { margin: 0; font: 13px/1.55 ui-monospace, "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  td:not(:first-child) { white-space: nowrap; }
  .soft { color: #626b78; }
  .pill { background: #eef2fb; border-radius: 999px; padding: 1px 10px; font-size: 13px; font-weight: 600; color: #475063; }
  .new { color: #18794e; }
`;

function makePage(width, body) {
  return { show: { html: `<!doctype html><meta charset="utf-8"><style>${style}</style>${body}` }, width };
}

function escape(text) {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function makeTable(head, rows) {
  const line = (cells, tag) => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  return `<table>${line(head, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table>`;
}

const pill = (text) => (text === '' ? '' : `<span class="pill">${escape(text)}</span>`);

/** The rows of a data source, under the columns that people look at. */
export function renderRows(pages, dataSourceId) {
  const titles = new Map(pages.map(({ id, title }) => [id, title]));
  const rows = pages
    .filter((page) => page.dataSourceId === dataSourceId)
    .map(({ title, properties }) => [
      escape(title),
      pill(properties.Status?.value?.name ?? ''),
      (properties.Owner?.value ?? []).map(({ name }) => escape(name)).join(', '),
      escape(properties.Due?.value?.start ?? ''),
      (properties.Meeting?.value ?? []).map(({ id }) => escape(titles.get(id) ?? '')).join(', '),
    ]);
  return makePage(1100, `<h1>Tasks</h1>${makeTable(['Task', 'Status', 'Owner', 'Due', 'Meeting'], rows)}`);
}

/** A request as its receiver has it: the headers that say who signed what, and the body. */
export function renderRequest({ headers, body }) {
  const shown = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const lines = shown.map((name) => `<span class="soft">${name}:</span> ${escape(headers[name])}`);
  const json = escape(JSON.stringify(JSON.parse(body), undefined, 2));
  return makePage(800, `<pre>POST /meetings\n${lines.join('\n')}\n\n${json}</pre>`);
}

/** What lies in a folder, and what the service says of the meetings. */
export function renderFolder(folder, meetings) {
  const files = readdirSync(folder).map((name) => [
    escape(name),
    `${Math.ceil(statSync(join(folder, name)).size / 1024)} KiB`,
  ]);
  const tagged = meetings.map(({ title, tags }) => [escape(title), tags.map(pill).join(' ')]);
  return makePage(
    900,
    `<h1>The folder</h1>${makeTable(['File', 'Size'], files)}<br>
     <h1>The meetings in the service</h1>${makeTable(['Meeting', 'Tags'], tagged)}`,
  );
}
