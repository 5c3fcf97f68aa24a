// What the meetings of this benchmark are: their deliveries, the effects that are planned of them, and the one report
// that all of them have.
import { createHash } from 'node:crypto';

import * as bullmq from 'bullmq';

import { deriveEffectKey } from '../../recipes/dist/index.js';

/** The events of a benchmark are as old as its run: very old ones have no effects. */
const occurrence = new Date().toISOString();

/** Destinations as an installation has them. */
export const destinations = {
  slack: { token: 'xoxb-bench', channel: 'C000000000' },
  notion: { token: 'ntn_bench', dataSourceId: '5b0a9f7e-9a3d-4d0b-8e57-0d2f3c1a7b11' },
  email: { smtpUrl: 'smtp://127.0.0.1:25', from: 'bot@example.com', to: ['ann@example.com'] },
};

/** One effect for each event. */
export const oneRecipe = [{ name: 'recap', use: 'slack-recap', when: {}, with: {} }];

/** Three effects for each event. */
export const threeRecipes = [
  ...oneRecipe,
  { name: 'page', use: 'notion-page', when: {}, with: {} },
  { name: 'mail', use: 'email-follow-up', when: {}, with: {} },
];

/** Recipes that post each room's meetings to a channel of its own. */
export function recipesOfRooms(count) {
  return Array.from({ length: count }, (_unused, room) => ({
    name: `room-${room}`,
    use: 'slack-recap',
    when: { title: titleOf(room) },
    with: { channel: channelOf(room) },
  }));
}

export function titleOf(room) {
  return `Room ${room}`;
}

export function channelOf(room) {
  return `C${String(room).padStart(9, '0')}`;
}

/** The text of a delivery. */
export function writeBody(meetingId, title) {
  return JSON.stringify({
    event: 'meeting.completed',
    meeting_id: meetingId,
    timestamp: occurrence,
    data: {
      title,
      is_transcript_empty: false,
      report_url: `https://service.example/api/video/report?meeting_id=${meetingId}`,
    },
  });
}

/** A delivery as the receiver hands it to the inbox. */
export function writeAcceptance(meetingId, title, endpoint = 'default') {
  return {
    jobId: createHash('sha256').update(meetingId).digest('hex'),
    job: { endpoint, receivedAt: new Date().toISOString(), body: writeBody(meetingId, title) },
    keepSeconds: 660,
  };
}

/** An effect as it is planned of such a delivery. */
export function writeEffect(meetingId, recipe, target, title = 'Weekly sync') {
  return {
    effectKey: deriveEffectKey({
      workspace: 'bench',
      recipe,
      eventKind: 'meeting.completed',
      meetingId,
      occurrence,
      target,
      part: 0,
    }),
    destination: 'slack',
    recipe,
    target,
    part: 0,
    event: {
      kind: 'meeting.completed',
      meetingId,
      occurrence,
      endpoint: 'default',
      receivedAt: occurrence,
      title,
      isTranscriptEmpty: false,
      reportUrl: `https://service.example/api/video/report?meeting_id=${meetingId}`,
    },
    traceId: createHash('sha256').update(meetingId).digest('hex').slice(0, 32),
  };
}

/** The same report for every meeting, but for its id. */
export function writeReport(meetingId) {
  return { ...report, meetingId };
}

const report = {
  title: 'Weekly sales sync',
  startedAt: '2026-07-07T11:00:00Z',
  durationSeconds: 3900,
  source: 'zoom',
  isTranscriptEmpty: false,
  participants: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Bob Ray', email: 'bob@example.com' },
    { name: 'Carl Moe', email: 'carl@example.com' },
  ],
  speakers: [{ name: 'Ann Lee' }, { name: 'Bob Ray' }],
  summary:
    'The team **agreed** on the plan for the next quarter. Ann told of the two customers in the north who want the ' +
    'new edition before the autumn, and of what has to be there by then.\n\n- the budget stays as it is\n- the offer ' +
    'goes out on Friday\n- the trial of the second customer is prolonged by a month\n\nBob asked who answers for the ' +
    'move of the old data; this is left open until the next meeting.',
  decisions: ['Ship on Friday', 'Prolong the trial by a month', 'Leave the budget as it is'],
  tasks: [
    { text: 'Send the offer', owner: 'Ann Lee', due: '2026-07-10' },
    { text: 'Write to the second customer', owner: 'Bob Ray', due: '2026-07-09' },
    { text: 'Book a room' },
    { text: 'Write the minutes', owner: 'Ann Lee' },
  ],
  transcript: [],
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
};

/**
 * BullMQ's own `Queue` or `Worker` of jobs that do nothing, beside our queues of a namespace. `words` is the worker's function.
 */
export function openNoop(kind, backend, { poolSize, words = [], ...options }) {
  const isRedis = backend.kind === 'redis';
  const client = isRedis ? backend.connect('work') : undefined;
  const pool = { ...backend.poolConfig?.('work'), max: poolSize, schema: `${backend.namespace}_queue` };
  // The braces keep a namespace on one node of a cluster.
  const place = isRedis ? { connection: client, prefix: `{${backend.namespace}}` } : { connection: pool };
  const { [kind]: Bound } = isRedis ? bullmq : bullmq.withBackend(bullmq.createPostgresBackend);
  const opened = new Bound('noop', ...words, { ...options, ...place });
  return {
    opened,
    async close() {
      await opened.close();
      client?.disconnect();
    },
  };
}
