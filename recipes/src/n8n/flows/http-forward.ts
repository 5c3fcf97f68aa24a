import type { Order } from '../order.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { setting } from '../steps/settings.ts';
import { messageNode, writeMessage } from '../steps/write-message.ts';

const body = String.raw`
const included = String(settings.include).split(',').map((one) => one.trim());
const parts = {
  summary: report.summary,
  decisions: report.decisions,
  tasks: report.tasks.map(({ text, owner, due }) => ({ text, owner: owner || null, due: due || null })),
};
const data = {
  version: 1,
  meeting_id: report.meetingId,
  title: report.title,
  started_at: report.startedAt || null,
  duration_seconds: report.durationSeconds ?? null,
  source: report.source || null,
  participants: report.people.map((name) => ({ name })),
  tags: report.tags,
  ...Object.fromEntries(Object.entries(parts).filter(([name]) => included.includes(name))),
};
const timestamp = Math.floor(Date.now() / 1000);
const id = 'msg_' + encodeURIComponent(event.key).replace(/[^A-Za-z0-9]/g, '_').slice(0, 200);
const text = JSON.stringify({ type: event.event, timestamp: event.occurrence, data });
return [{ json: { send: true, id, timestamp, text } }];
`;

/** The parts of a report that the workflow knows. */
const parts = ['summary', 'decisions', 'tasks'];

const written = `$('${messageNode}').item.json`;

/** What the meeting has come to, signed as Standard Webhooks has it, to an address of one's own. */
export function drawHttpForward(order: Order): void {
  receiveDelivery(order, {
    ...fetchSettings,
    forward_url: 'https://hooks.example/aftermeet',
    include: (order.list('include') ?? parts).filter((part) => parts.includes(part)).join(', '),
    link: '',
  });
  pickEvents(order);
  fetchReport(order);
  writeMessage(order, [], body);
  order.canvas.add({
    name: 'Sign it for the receiver',
    kind: 'crypto',
    credential: 'forward',
    parameters: {
      action: 'hmac',
      binaryData: false,
      type: 'SHA256',
      value: "={{ $json.id + '.' + $json.timestamp + '.' + $json.text }}",
      dataPropertyName: 'signature',
      encoding: 'base64',
    },
  });
  order.canvas.add({
    name: 'Send it on',
    kind: 'http',
    parameters: {
      method: 'POST',
      url: `={{ ${setting('forward_url')} }}`,
      sendHeaders: true,
      headerParameters: {
        parameters: [
          { name: 'webhook-id', value: `={{ ${written}.id }}` },
          { name: 'webhook-timestamp', value: `={{ ${written}.timestamp }}` },
          { name: 'webhook-signature', value: '=v1,{{ $json.signature }}' },
        ],
      },
      sendBody: true,
      contentType: 'raw',
      rawContentType: 'application/json',
      body: `={{ ${written}.text }}`,
      options: { redirect: { redirect: { followRedirects: false } }, timeout: 15_000 },
    },
  });
  order.text('url');
  order.notes.push(
    'Set `forward_url`: the `url` of the recipe can hold a token, so it is never copied into a workflow.',
    'Of a report only summary, decisions and tasks are sent, as far as `include` names them: no other sections, no transcript.',
    'The signature is that of Standard Webhooks, but n8n takes its secret as text: the receiver uses the same text as its key, or `whsec_` and the Base64 of it.',
    'Addresses of a private network are not refused: n8n goes wherever `forward_url` leads. Participants are sent by name, without their addresses.',
  );
}
