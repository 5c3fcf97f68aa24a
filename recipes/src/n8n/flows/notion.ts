import { notionPageCode } from '../code/notion-page.ts';
import type { Order } from '../order.ts';
import { allOf, isTrue } from '../parameters.ts';
import { callNotion, notionSettings } from '../steps/call-notion.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { setting } from '../steps/settings.ts';
import { messageNode, writeMessage } from '../steps/write-message.ts';

/** The property by which a page is found again. */
const keyProperty = 'Aftermeet key';

const written = `$('${messageNode}').item.json`;

/** A page of a meeting. */
const pageBody = String.raw`
const texts = (text) => [{ type: 'text', text: { content: cutText(text, 1900) } }];
const page = {
  parent: { type: 'data_source_id', data_source_id: settings.data_source_id },
  properties: { title: { title: texts(report.title) }, [settings.key_property]: { rich_text: texts(event.key) } },
  children: notionChildren(report, link),
};
return [{ json: { send: true, key: event.key, page } }];
`;

/** A row for each task; the key is made of its words and its owner, so that it stays the same when the order changes. */
const tasksBody = String.raw`
const texts = (text) => [{ type: 'text', text: { content: cutText(text, 1900) } }];
function nameTask(text) {
  let hash = 0xcbf29ce484222325n;
  for (const letter of text.toLowerCase()) hash = ((hash ^ BigInt(letter.codePointAt(0))) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
const seen = new Set();
return report.tasks
  .map((task) => ({ task, key: [event.meeting_id, event.occurrence, nameTask(task.owner + '|' + task.text)].join('|') }))
  .filter(({ key }) => !seen.has(key) && seen.add(key))
  .map(({ task, key }) => ({
    json: {
      send: true,
      key,
      page: {
        parent: { type: 'data_source_id', data_source_id: settings.data_source_id },
        properties: { title: { title: texts(task.text) }, [settings.key_property]: { rich_text: texts(key) } },
        children: [notionBlock('paragraph', [{ text: [task.owner, task.due && 'due ' + task.due, report.title].filter(Boolean).join(' · ') }])],
      },
    },
  }));
`;

/** A page for each meeting, or a row for each of its tasks; what is there already is left as it is. */
export function drawNotion(order: Order, isTasks: boolean): void {
  receiveDelivery(order, {
    ...fetchSettings,
    ...notionSettings(order, 'dataSource'),
    key_property: keyProperty,
    link: isTasks ? '' : (order.text('link') ?? ''),
  });
  pickEvents(order);
  keepKeyProperty(order);
  fetchReport(order);
  writeMessage(order, [notionPageCode], isTasks ? tasksBody : pageBody);
  callNotion(
    order,
    'Look for it in Notion',
    'POST',
    `data_sources/{{ ${setting('data_source_id')} }}/query`,
    `{ filter: { property: ${setting('key_property')}, rich_text: { equals: ${written}.key } }, page_size: 1 }`,
  );
  order.canvas.add({
    name: 'Is it new?',
    kind: 'filter',
    parameters: allOf(isTrue('new', '$json.results.length === 0')),
  });
  callNotion(order, isTasks ? 'Create the task' : 'Create the page', 'POST', 'pages', `${written}.page`);
  order.notes.push(
    `The data source gets a text property named "${keyProperty}", by which ${isTasks ? 'a task' : 'a page'} is found again. Where the connection may not change the data source, make it by hand.`,
    isTasks
      ? 'A task that is there is left as it is, and so is its status. Owner and due date stand in its text: to have them as properties, add them in "Write the message".'
      : 'At most 100 blocks are written, without the transcript. A page that is there is left as it is: when the report is made again, its new delivery makes a new page.',
  );
}

/** Adds the property where it is missing; one that is there stays as it is. */
function keepKeyProperty(order: Order): void {
  callNotion(
    order,
    'Make sure that it can be found again',
    'PATCH',
    `data_sources/{{ ${setting('data_source_id')} }}`,
    `{ properties: { [${setting('key_property')}]: { rich_text: {} } } }`,
  );
}
