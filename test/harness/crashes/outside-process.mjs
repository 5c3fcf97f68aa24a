import { once } from 'node:events';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { createVendorEmulators } from '@aftermeet/sandbox';

import { createRandom } from '../random.mjs';
import { API_KEY, findMeetingNumber, isLong, TURNS } from './installation.mjs';

// What is outside, in a process of its own: the service, Slack, Notion and a mail server, all with faults that the seed
// decides. The first message is the schedule, and is answered with the addresses; each other one with what has arrived and
// how often each fault happened.

process.once('message', (schedule) => void start(schedule));

async function start({ seed, meetings, keyRefused }) {
  const keeps = 3 * meetings.length;
  const emulators = await createVendorEmulators({
    slack: { seed, keeps },
    notion: { seed: seed + 1, keeps },
    mail: { seed: seed + 2 },
  });
  const [slack, notion, mail] = [emulators.slack, emulators.notion, emulators.mail].map(
    ({ emulator }) => emulator,
  );
  const hangs = Math.ceil(meetings.length / 500);
  for (const fault of slackFaults(hangs)) slack.faults.add(fault);
  for (const fault of notionFaults(hangs)) notion.faults.add(fault);
  for (const fault of mailFaults) mail.faults.add(fault);
  const posted = [];
  slack.onReceived((message) => posted.push(message));
  const mails = keepMails(mail, seed + 2);
  const service = await startService({ meetings, keyRefused });
  // What the emulators would load at their first calls, while these wait.
  const headers = { authorization: 'Bearer xoxb-crashes' };
  await Promise.all([
    import('mailparser'),
    fetch(`${emulators.slack.apiUrl}auth.test`, { method: 'POST', headers }),
  ]);

  const delays = monitorEventLoopDelay();
  delays.enable();
  process.on('message', () => {
    process.send({
      lateMs: delays.max / 1e6,
      arrived: {
        slack: posted.filter(isMessage).map(describeMessage),
        reply: posted.filter((message) => !isMessage(message)).map((reply) => describeReply(reply, posted)),
        notion: notion.received().map((page) => describePage(page, notion.readBlocks(page.id))),
        email: mails.map(describeMail),
      },
      faults: {
        slack: countFaults(slack.faults.list()),
        notion: countFaults(notion.faults.list()),
        email: countFaults(mail.faults.list()),
      },
      service: service.answers,
    });
  });
  process.send({
    serviceUrl: service.url,
    slackUrl: emulators.slack.apiUrl,
    notionUrl: emulators.notion.url,
    dataSourceId: notion.dataSourceId,
    smtpUrl: emulators.mail.url,
  });
}

const lost = (on) => [
  { kind: 'drop_after', on, probability: 0.03 },
  { kind: 'cut', on, probability: 0.015 },
];

const refused = (on) => [
  { kind: 'reset', on, probability: 0.02 },
  { kind: 'empty', on, probability: 0.005 },
  { kind: 'garbage', on, probability: 0.005 },
  { kind: 'status', on, status: 429, retry_after_seconds: 1, probability: 0.02 },
  { kind: 'status', on, status: 500, probability: 0.01 },
  { kind: 'status', on, status: 503, probability: 0.01 },
];

/** `drip` takes its time after the call was done: a worker that is killed meanwhile has sent and not noted it. */
const slow = (on) => [
  { kind: 'drip', on, ms: 1, probability: 0.08 },
  { kind: 'latency', on, ms: 400, probability: 0.05 },
];

/** Each costs ten seconds. */
const silent = (on, times) => ({ kind: 'hang', on, probability: 0.02, times });

/** Faults by chance, call by call, as often as they come unless something else is said. */
const byChance = (...faults) => faults.flat().map((fault) => ({ times: null, ...fault }));

/** Calls to Slack; at last Slack's own errors, with the call done or not. */
const slackFaults = (hangs) =>
  byChance(
    silent('chat.postMessage', hangs),
    lost('chat.postMessage'),
    refused('chat.postMessage'),
    slow('chat.postMessage'),
    refused('conversations.history'),
    refused('conversations.replies'),
    { kind: 'cut', on: 'conversations.history', probability: 0.02 },
    { kind: 'error', error: 'fatal_error', is_applied: true, on: 'chat.postMessage', probability: 0.015 },
    { kind: 'error', error: 'internal_error', on: 'chat.postMessage', probability: 0.01 },
  );

const saved = { kind: 'error', code: 'service_unavailable', is_applied: true, on: 'pages.create' };

/** Calls to Notion; at last its own errors: a 503 whose page was made, which the answer says or not, and a conflict. */
const notionFaults = (hangs) =>
  byChance(
    silent('pages.create', hangs),
    ...['pages.create', 'blocks.children.append'].map((on) => [lost(on), refused(on), slow(on)].flat()),
    lost('pages.update'),
    refused('pages.update'),
    refused('data_sources.query'),
    { kind: 'cut', on: 'data_sources.query', probability: 0.02 },
    { kind: 'status', on: 'data_sources.retrieve', status: 503, probability: 0.05 },
    { ...saved, probability: 0.015 },
    { ...saved, is_told: false, probability: 0.015 },
    { kind: 'error', code: 'conflict_error', on: 'pages.create', probability: 0.01 },
  );

/** Steps of a mail before the server keeps it. */
const mailFaults = byChance(
  { kind: 'reset', on: 'connect', probability: 0.02 },
  { kind: 'status', on: 'mail', status: 421, probability: 0.01 },
  { kind: 'status', on: 'rcpt', status: 450, probability: 0.01 },
  { kind: 'reset', on: 'data', probability: 0.02 },
  { kind: 'status', on: 'data', status: 451, probability: 0.02 },
);

/**
 * Every mail that the server kept. What goes wrong once a mail is kept hits its first copy only: a mail server can't be
 * searched, so a mail whose fate is open twice is left to a person, and rightly so.
 */
function keepMails(server, seed) {
  const kept = [];
  const known = new Set();
  server.onReceived((mail) => {
    kept.push(mail);
    const meeting = findMeetingNumber(mail.subject) ?? 0;
    // The server looks for a fault right after this.
    const fault = known.has(mail.messageId) ? undefined : drawMailFault(createRandom(seed + meeting).next());
    if (fault !== undefined) server.faults.add({ ...fault, on: 'accepted', times: 1 });
    known.add(mail.messageId);
  });
  return kept;
}

function drawMailFault(chance) {
  if (chance < 0.03) return { kind: 'drop_after' };
  if (chance < 0.04) return { kind: 'cut' };
  if (chance < 0.05) return { kind: 'status', status: 451 };
  if (chance < 0.13) return { kind: 'drip', ms: 20 };
  return undefined;
}

/** How often each kind of fault happened. */
function countFaults(planned) {
  const counts = {};
  for (const { fault, happened } of planned) {
    const { kind, status, error, code } = fault;
    const name = [kind, status ?? error ?? code].filter((part) => part !== undefined).join(' ');
    counts[name] = (counts[name] ?? 0) + happened;
  }
  return counts;
}

// What has arrived, alike for each destination: its key, the number of its meeting, where it stands, and what the
// destination calls it.

const isMessage = ({ threadTs }) => threadTs === undefined;

function describeMessage({ channel, ts, text, metadata }) {
  return {
    key: metadata?.event_payload.key,
    meeting: findMeetingNumber(text),
    target: channel,
    reference: `${channel}/${ts}`,
  };
}

/** It must stand below the message of its own meeting. */
function describeReply(reply, posted) {
  const parent = posted.find(({ channel, ts }) => channel === reply.channel && ts === reply.threadTs);
  const described = describeMessage(reply);
  return findMeetingNumber(parent?.text ?? '') === described.meeting
    ? described
    : { ...described, target: "below another meeting's message" };
}

function describePage({ id, title, dataSourceId, properties }, blocks) {
  return {
    key: properties['Delivery key']?.value?.map(({ plain_text: text }) => text).join(''),
    meeting: findMeetingNumber(title),
    target: isWholePage(title, blocks) ? dataSourceId : 'a page that is not whole',
    reference: id,
  };
}

/** Of a long meeting every turn is there, each once. */
function isWholePage(title, blocks) {
  if (!isLong(title)) return true;
  const turns = JSON.stringify(blocks).match(/"plain_text":"[^"]*\bturn \d+"/g) ?? [];
  return turns.length === new Set(turns).size && turns.length === TURNS;
}

function describeMail({ messageId, subject, envelope }) {
  return {
    key: /^<([0-9a-f]{64})@example\.com>$/.exec(messageId)?.[1],
    meeting: findMeetingNumber(subject),
    target: envelope.to.join(),
    reference: messageId,
  };
}

/** Starts a service that has the report of every meeting, sooner or later. */
async function startService({ meetings, keyRefused }) {
  const byId = new Map(meetings.map(({ id, service }) => [id, { left: [...service] }]));
  const answers = {};
  let startedMs;
  const server = createServer((request, response) => {
    startedMs ??= performance.now();
    const elapsedMs = performance.now() - startedMs;
    const url = new URL(request.url, 'http://service');
    const id = url.searchParams.get('meeting_id');
    const isRefused = keyRefused.fromMs <= elapsedMs && elapsedMs < keyRefused.untilMs;
    const status = chooseStatus({ request, url, isRefused, meeting: byId.get(id) });
    answers[status] = (answers[status] ?? 0) + 1;
    const headers = { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) };
    if (status === 202) response.writeHead(202).end('Meeting is in progress now, status: processing');
    else response.writeHead(status, headers).end(JSON.stringify(status === 200 ? writeReport(id) : {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, answers };
}

function chooseStatus({ request, url, isRefused, meeting }) {
  if (isRefused || request.headers['x-api-key'] !== API_KEY) return 401;
  if (url.pathname !== '/api/video/report' || meeting === undefined) return 404;
  return meeting.left.shift() ?? 200;
}

function writeReport(id) {
  const entity = (name, text) => ({ name, text });
  const entities = [
    entity('summary', `We talked about ${id}, and agreed on what comes next.`),
    entity('tasks', 'Ann: send the offer until Friday'),
    // It has a reply of its own below the message.
    entity('questions_and_answers', `What about ${id}? It goes on.`),
  ];
  return {
    followup_v2: {
      name: id,
      date: '2026-07-07T11:00:00Z',
      duration: 1800,
      source: 'zoom',
      status: 'processed',
      is_transcript_empty: false,
      speakers: [{ id: 1, speaker: 'Ann Lee' }],
      chapters: isLong(id) ? [{ name: 'All of it', transcript: writeTalk(id) }] : undefined,
      templates: [{ id: 1, name: 'General', entities }],
    },
  };
}

/** More turns than one request to Notion can hold. */
function writeTalk(id) {
  return Array.from({ length: TURNS }, (_, index) => ({
    speaker: index % 2 === 0 ? 'Ann Lee' : 'Bob Ray',
    text: `${id} turn ${index + 1}`,
    startSeconds: index,
    endSeconds: index + 1,
  }));
}
