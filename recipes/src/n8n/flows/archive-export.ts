import type { Order } from '../order.ts';
import { literal } from '../parameters.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { setting } from '../steps/settings.ts';
import { messageNode, writeMessage } from '../steps/write-message.ts';

const body = String.raw`
const safe = (text) => text.normalize('NFC').replace(/[^\p{L}\p{N} _-]+/gu, ' ').replace(/ +/g, ' ').trim();
const day = (/^\d{4}-\d{2}-\d{2}/.exec(report.startedAt) || /^\d{4}-\d{2}-\d{2}/.exec(event.occurrence) || ['undated'])[0];
const formats = String(settings.formats).split(',').map((one) => one.trim()).filter(Boolean);
const name = [day, cutText(safe(report.title), 80).replace('…', ''), safe(report.meetingId).slice(0, 80)].filter(Boolean).join('_');
const folder = String(settings.folder).replace(/\/+$/, '');
return formats.map((format) => ({ json: { send: true, format, file: folder + '/' + name + '.' + format } }));
`;

/** The report as a file, in a folder of the machine that n8n runs on. */
export function drawArchiveExport(order: Order): void {
  receiveDelivery(order, {
    ...fetchSettings,
    formats: (order.list('format') ?? ['pdf']).join(', '),
    folder: '~/.n8n-files',
    link: '',
  });
  pickEvents(order);
  fetchReport(order);
  writeMessage(order, [], body);
  const asked = (
    [
      ['include_report', order.text('includeReport')],
      ['include_tasks', order.text('includeTasks')],
      ['template_name', order.text('template')],
      ['timezone', order.text('timezone')],
    ] as const
  ).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value: literal(value) }]));
  order.canvas.add({
    name: 'Export the report',
    kind: 'http',
    credential: 'apiKey',
    parameters: {
      method: 'GET',
      url: `={{ ${setting('base_url')} }}/api/storage/download`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      sendQuery: true,
      queryParameters: {
        parameters: [
          { name: 'meeting_id', value: "={{ $('Check the delivery').first().json.meeting_id }}" },
          { name: 'format', value: '={{ $json.format }}' },
          ...asked,
        ],
      },
      options: {
        redirect: { redirect: { followRedirects: false } },
        response: { response: { responseFormat: 'file', outputPropertyName: 'data' } },
        timeout: 120_000,
      },
    },
  });
  order.canvas.add({
    name: 'Write the file',
    kind: 'file',
    parameters: {
      operation: 'write',
      fileName: `={{ $('${messageNode}').item.json.file }}`,
      dataPropertyName: 'data',
      options: {},
    },
  });
  order.text('folder');
  order.notes.push(
    'Set `folder`: that of the recipe is one of the machine of Aftermeet, and n8n has its own.',
    'n8n writes only into the folders of `N8N_RESTRICT_FILE_ACCESS_TO`, by default `~/.n8n-files` of its own user, and n8n Cloud into none: put the node of your storage (Drive, S3, FTP) in the place of "Write the file".',
    'The name of a file is made of the day, the title and the id, in the time zone of the report. The meeting is not tagged.',
  );
}
