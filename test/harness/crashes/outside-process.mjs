import { once } from 'node:events';
import { createServer } from 'node:http';

import { createMailEmulator, createNotionEmulator, createSlackEmulator } from '@aftermeet/sandbox';

import { createRandom } from '../random.mjs';
import { API_KEY, findMeetingNumber, isLong, makePlan, TURNS } from './plan.mjs';

// Service and destinations in a process of their own: the service, Slack, Notion and a mail server. It gets the run's
// options, sends its addresses, and answers each message with what has arrived.

/** Starts everything. Called at the end of this file, when all constants exist. */
async function main() {
  const options = JSON.parse(process.argv[2]);
  const { seed, meetings } = options;
  const hangs = Math.ceil(meetings / 500);
  const service = await startService(makePlan(options));
  const slack = await startSlack({ seed, hangs, keeps: 3 * meetings });
  const notion = await startNotion({ seed: seed + 1, hangs, keeps: 3 * meetings });
  const mail = await startMail({ seed: seed + 2 });

  process.on('disconnect', () => process.exit(0));
  process.on('message', () => {
    process.send({
      arrived: { ...slack.seen(), notion: notion.seen(), email: mail.seen() },
      faults: {
        slack: countFaults(slack.faults()),
        notion: countFaults(notion.faults()),
        email: countFaults(mail.faults()),
      },
      service: service.answers,
    });
  });
  process.send({
    serviceUrl: service.url,
    slackUrl: slack.url,
    notionUrl: notion.url,
    dataSourceId: notion.dataSourceId,
    smtpUrl: mail.url,
  });
}

/** Calls to Slack. */
const slackFaults = (hangs) => [
  ...silent('chat.postMessage', hangs),
  ...lost('chat.postMessage'),
  ...refused('chat.postMessage'),
  ...slow('chat.postMessage'),
  ...refused('conversations.history'),
  ...refused('conversations.replies'),
  { kind: 'cut', on: 'conversations.history', probability: 0.02, ...always },
];

/**
 * What goes wrong at the destinations, by chance: the emulators draw it from the seed, call by call. `drip` is an
 * answer that takes its time after the call was done: a worker that is killed meanwhile has sent and not noted it.
 */
const always = { times: null };

/** Errors of Slack's own, with the call done or not. */
const slackErrors = [
  {
    kind: 'error',
    error: 'fatal_error',
    is_applied: true,
    on: 'chat.postMessage',
    probability: 0.015,
    ...always,
  },
  { kind: 'error', error: 'internal_error', on: 'chat.postMessage', probability: 0.01, ...always },
];

/** Calls to Notion. */
const notionFaults = (hangs) => [
  ...silent('pages.create', hangs),
  ...lost('pages.create'),
  ...refused('pages.create'),
  ...slow('pages.create'),
  ...lost('blocks.children.append'),
  ...refused('blocks.children.append'),
  ...slow('blocks.children.append'),
  ...lost('pages.update'),
  ...refused('pages.update'),
  ...refused('data_sources.query'),
  { kind: 'cut', on: 'data_sources.query', probability: 0.02, ...always },
  { kind: 'status', on: 'data_sources.retrieve', status: 503, probability: 0.05, ...always },
];

const saved = { kind: 'error', code: 'service_unavailable', is_applied: true, on: 'pages.create', ...always };

/** Errors of Notion's own: a 503 whose page was made, which the answer says or not, and a conflict. */
const notionErrors = [
  { ...saved, probability: 0.015 },
  { ...saved, is_told: false, probability: 0.015 },
  { kind: 'error', code: 'conflict_error', on: 'pages.create', probability: 0.01, ...always },
];

/** Steps of a mail before the server keeps it. */
const mailFaults = [
  { kind: 'reset', on: 'connect', probability: 0.02, ...always },
  { kind: 'status', on: 'mail', status: 421, probability: 0.01, ...always },
  { kind: 'status', on: 'rcpt', status: 450, probability: 0.01, ...always },
  { kind: 'reset', on: 'data', probability: 0.02, ...always },
  { kind: 'status', on: 'data', status: 451, probability: 0.02, ...always },
];

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

/** Starts a Slack with faults. `seen` lists every message that was posted, and apart from them every reply. */
async function startSlack({ seed, hangs, keeps }) {
  const posted = [];
  const slack = createSlackEmulator({
    seed,
    keeps,
  });
  for (const fault of slackFaults(hangs)) slack.faults.add(fault);
  for (const fault of slackErrors) slack.faults.add(fault);
  slack.onReceived((message) => posted.push(message));
  const { url } = await slack.listen();
  // It reads its schemas at the first call.
  await fetch(`${url}/api/auth.test`, { method: 'POST', headers: { authorization: 'Bearer xoxb-crashes' } });
  return {
    url,
    seen: () => ({
      slack: posted.filter(isMessage).map(describeMessage),
      reply: posted.filter((message) => !isMessage(message)).map((reply) => describeReply(reply, posted)),
    }),
    faults: () => [...slack.faults.list(), ...slack.faults.list()],
  };
}

function isMessage({ threadTs }) {
  return threadTs === undefined;
}

function describeMessage({ channel, ts, text, metadata }) {
  return {
    key: metadata?.event_payload.key,
    meeting: findMeetingNumber(text),
    target: channel,
    reference: `${channel}/${ts}`,
  };
}

/** One that stands below another meeting's message counts as that one's. */
function describeReply(reply, posted) {
  const parent = posted.find(({ channel, ts }) => channel === reply.channel && ts === reply.threadTs);
  const meeting = findMeetingNumber(parent?.text ?? '');
  const described = describeMessage(reply);
  return meeting === described.meeting ? described : { ...described, target: 'below a unexpected message' };
}

/** Starts a Notion with faults. `seen` lists every page that was made, as it is now. */
async function startNotion({ seed, hangs, keeps }) {
  const notion = createNotionEmulator({ seed, keeps });
  for (const fault of notionFaults(hangs)) notion.faults.add(fault);
  for (const fault of notionErrors) notion.faults.add(fault);
  const { url } = await notion.listen();
  return {
    url,
    dataSourceId: notion.dataSourceId,
    seen: () =>
      notion.received().map(({ id, title, dataSourceId, properties }) => ({
        key: readText(properties['Delivery key']),
        meeting: findMeetingNumber(title),
        target: isWholePage(title, notion.readBlocks(id)) ? dataSourceId : 'a page that is not whole',
        reference: id,
      })),
    faults: () => [...notion.faults.list(), ...notion.faults.list()],
  };
}

/** Of a long meeting every turn is there, each once. */
function isWholePage(title, blocks) {
  if (!isLong(title)) return true;
  const turns = JSON.stringify(blocks).match(/"plain_text":"[^"]*\bturn \d+"/g) ?? [];
  return turns.length === new Set(turns).size && turns.length === TURNS;
}

function readText(property) {
  return property?.value?.map(({ plain_text: text }) => text).join('');
}

/**
 * Starts a mail server with faults. `seen` lists every mail that it kept.
 *
 * What goes wrong once a mail is kept hits its first copy only: a mail server can't be searched, so a mail whose fate is
 * open twice is left to a person, and rightly so.
 */
async function startMail({ seed }) {
  // What the emulator would load at its first mails, while they wait.
  await import('mailparser');
  const kept = [];
  const known = new Set();
  const server = createMailEmulator({ seed });
  for (const fault of mailFaults) server.faults.add(fault);
  server.onReceived((mail) => {
    kept.push(mail);
    const meeting = findMeetingNumber(mail.subject) ?? 0;
    // The server looks for a fault right after this.
    const fault = known.has(mail.messageId) ? undefined : drawFault(createRandom(seed + meeting).next());
    if (fault !== undefined) server.faults.add({ ...fault, on: 'accepted', times: 1 });
    known.add(mail.messageId);
  });
  const { url } = await server.listen();
  return {
    url,
    seen: () =>
      kept.map(({ messageId, subject, envelope }) => ({
        key: /^<([0-9a-f]{64})@example\.com>$/.exec(messageId)?.[1],
        meeting: findMeetingNumber(subject),
        target: envelope.to.join(),
        reference: messageId,
      })),
    faults: () => server.faults.list(),
  };
}

function drawFault(chance) {
  if (chance < 0.03) return { kind: 'drop_after' };
  if (chance < 0.04) return { kind: 'cut' };
  if (chance < 0.05) return { kind: 'status', status: 451 };
  if (chance < 0.13) return { kind: 'drip', ms: 20 };
  return undefined;
}

/** Starts a service that has the report of every meeting, sooner or later; `plan` says what it answers before. */
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
      ...(isLong(id) ? { chapters: [{ name: 'All of it', transcript: writeTalk(id) }] } : {}),
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

const lost = (on) => [
  { kind: 'drop_after', on, probability: 0.03, ...always },
  { kind: 'cut', on, probability: 0.015, ...always },
];

const refused = (on) => [
  { kind: 'reset', on, probability: 0.02, ...always },
  { kind: 'empty', on, probability: 0.005, ...always },
  { kind: 'garbage', on, probability: 0.005, ...always },
  { kind: 'status', on, status: 429, retry_after_seconds: 1, probability: 0.02, ...always },
  { kind: 'status', on, status: 500, probability: 0.01, ...always },
  { kind: 'status', on, status: 503, probability: 0.01, ...always },
];

const slow = (on) => [
  { kind: 'drip', on, ms: 1, probability: 0.08, ...always },
  { kind: 'latency', on, ms: 400, probability: 0.05, ...always },
];

/** Each costs ten seconds. */
const silent = (on, times) => (times === 0 ? [] : [{ kind: 'hang', on, probability: 0.02, times }]);

await main();
