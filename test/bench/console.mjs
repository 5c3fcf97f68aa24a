// How long the console's pages take to read: the list of meetings and the way of one meeting, over a million meetings in the
// journal, on each store. The newest hundred have three effects each, as the ledger knows them.
import { Client } from 'pg';

import { openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { listMeetings, openOperatorTools, readMeeting } from '../../recipes/dist/index.js';
import { drawTable, judge, percentile, round } from './figures.mjs';
import { onStores } from './stores.mjs';

const usual = { meetings: 1_000_000, pages: 200 };
const quick = { meetings: 2000, pages: 10 };
const recent = 100;
const pageRows = 50;
const listTargetMs = 100;
const wayTargetMs = 50;
const startMs = Date.parse('2026-01-01T00:00:00Z');

function runConsole({ isQuick }) {
  const size = isQuick ? quick : usual;
  return onStores('the console', async ({ store }) => present(store, await measure(store, size), size));
}

export { runConsole as console };

async function measure(store, size) {
  const backend = await openBackend(store.url, { log: silentLog });
  const tools = await openOperatorTools(backend);
  try {
    await (backend.kind === 'redis' ? seedRedis : seedPostgres)(backend, store, size.meetings);
    await addRecent(tools, size.meetings);
    // What was noted is written a moment later.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const list = [];
    const later = [];
    const way = [];
    const search = [];
    for (let page = 0; page < size.pages; page += 1) {
      const first = await time(list, () => listMeetings({ limit: pageRows }, tools));
      await time(later, () => listMeetings({ limit: pageRows, after: first.next }, tools));
      const { meetingId } = first.meetings[page % first.meetings.length];
      await time(way, () => readMeeting(meetingId, tools));
    }
    for (let page = 0; page < 5; page += 1) {
      await time(search, () => listMeetings({ limit: pageRows, words: 'no such title' }, tools));
    }
    return { list: p95(list), later: p95(later), way: p95(way), search: p95(search) };
  } finally {
    await tools.close();
    await backend.close();
  }
}

async function time(times, work) {
  const startedMs = performance.now();
  const result = await work();
  times.push(performance.now() - startedMs);
  return result;
}

function p95(times) {
  return round(percentile(times, 0.95), 1);
}

function writeEntry(nth) {
  return {
    kind: 'delivered',
    atMs: startMs + nth,
    delivery: `d${nth}`,
    event: 'meeting.completed',
    endpoint: 'default',
    title: `Weekly sync of the team ${nth}`,
    recipes: [
      { name: 'slack-recap', takes: true },
      { name: 'slack-alert', takes: false, cause: 'its transcript is not empty' },
    ],
    effects: [],
  };
}

async function seedRedis({ namespace }, { client }, count) {
  for (let from = 0; from < count; from += 5000) {
    const pipeline = client.pipeline();
    for (let nth = from; nth < Math.min(from + 5000, count); nth += 1) {
      pipeline.rpush(`{${namespace}}:journal:meeting m_${nth}`, JSON.stringify(writeEntry(nth)));
      pipeline.zadd(`{${namespace}}:journal`, startMs + nth, `m_${nth}`);
    }
    await pipeline.exec();
  }
}

async function seedPostgres(backend, _store, count) {
  const client = new Client(backend.poolConfig('work'));
  await client.connect();
  try {
    const entry = JSON.stringify([writeEntry(0)]);
    await client.query(
      `insert into "${backend.namespace}".journal
       select 'meeting m_' || nth, 'm_' || nth, $1::bigint + nth, $2::jsonb from generate_series(0, $3::int - 1) as nth`,
      [startMs, entry, count],
    );
    await client.query(`analyze "${backend.namespace}".journal`);
  } finally {
    await client.end();
  }
}

/** The newest meetings, each with three effects that were sent. */
async function addRecent({ journal, ledger }, count) {
  for (let nth = 0; nth < recent; nth += 1) {
    const meetingId = `r_${nth}`;
    const atMs = startMs + count + nth;
    const effects = ['slack', 'notion', 'email'].map((destination, at) => {
      const effectKey = `${at}${String(nth).padStart(63, '0')}`;
      return { effectKey, recipe: `${destination}-recap`, destination, part: 0 };
    });
    journal.note({ meetingId, note: { ...writeEntry(nth), atMs, effects } });
    for (const { effectKey, recipe, destination } of effects) {
      const facts = {
        recipe,
        destination,
        eventKind: 'meeting.completed',
        meetingId,
        occurrence: '2026-01-01T00:00:00Z',
        targetHash: '',
        part: 0,
        traceId: '',
        receivedAtMs: atMs,
      };
      const request = { facts, nowMs: Date.now(), leaseMs: 1000, isTraceComplete: true, earliestMs: atMs };
      const { fence } = await ledger.claim(effectKey, request);
      await ledger.settle(effectKey, fence, { state: 'sent', reference: 'C1/1' }, request);
      const note = { atMs, elapsedMs: 80, worker: 'host:1', outcome: 'sent' };
      journal.note({ effectKey, note });
    }
  }
}

function present({ name }, figures, { meetings }) {
  const rows = [
    [`the list's first page of ${pageRows}`, figures.list],
    ['its second page', figures.later],
    ['the way of one meeting', figures.way],
    ['a search that finds nothing in the newest 2000', figures.search],
  ];
  return {
    figures,
    lines: [
      `the console over ${meetings} meetings on ${name}, Node ${process.versions.node}`,
      ...drawTable(['', 'p95 ms'], rows),
      judge('the list', figures.list, { most: listTargetMs, unit: ' ms' }),
      judge('the way of one meeting', figures.way, { most: wayTargetMs, unit: ' ms' }),
    ],
  };
}
