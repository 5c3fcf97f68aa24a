import { once } from 'node:events';
import { createServer } from 'node:http';

import { API_KEY } from '../installation.mjs';
import { isLong, TURNS } from '../plan.mjs';

/** Starts a service that has the report of every meeting, sooner or later; `plan` says what it answers before. */
export async function startService({ meetings, keyRefused }) {
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
