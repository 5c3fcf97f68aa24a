import { deriveEffectKey } from '@aftermeet/recipes';

import { createRandom } from '../random.mjs';

/** Slack's limits are per channel: with many of them the run does not wait for its lanes. */
const TEAMS = 50;

const killGapMs = { least: 400, most: 1200 };

/** Without kills there is nothing to spread the meetings over. */
const MIN_MS = 5000;

/** The last kills must find work too. */
const ARRIVE_WITHIN = 0.9;

/**
 * Everything that a seed decides: when which meeting's event comes, what the service answers for it, which worker is
 * killed when, when the store is killed and how long it is away. The same seed makes the same plan; what a
 * kill finds under way is chance. Times are milliseconds since the beginning, `startedAtMs` since 1970.
 */
export function makePlan({
  seed,
  meetings,
  kills,
  restarts,
  workers,
  freezes,
  freezeMs,
  hasClocks,
  startedAtMs,
}) {
  const random = createRandom(seed);
  let nowMs = 0;
  const killings = Array.from({ length: kills }, () => {
    nowMs += random.between(killGapMs.least, killGapMs.most);
    return { atMs: nowMs, slot: random.between(0, workers - 1) };
  });
  const lastsMs = Math.max(nowMs, MIN_MS);
  // One in each part of the time, so that the store is not away twice at once.
  const restartings = Array.from({ length: restarts }, (_, index) => ({
    atMs: Math.round((lastsMs * (index + 0.2 + 0.5 * random.next())) / restarts),
    awayMs: random.between(0, 1500),
  }));
  const freezings = Array.from({ length: freezes }, (_, index) => ({
    atMs: Math.round((lastsMs * (index + random.next())) / freezes),
    lastsMs: freezeMs,
    slot: random.between(0, workers - 1),
  }));
  const arrivals = Array.from({ length: meetings }, () => random.next() * lastsMs * ARRIVE_WITHIN);
  const spellMs = Math.round(lastsMs * 0.3);
  return {
    seed,
    lastsMs,
    killings,
    restartings,
    freezings,
    clocks: hasClocks ? planClocks(workers, lastsMs) : [],
    meetings: arrivals
      .toSorted((one, other) => one - other)
      .map((atMs, index) => describeMeeting({ index, atMs, startedAtMs }, random)),
    /** The service refuses the key for this long. */
    keyRefused: { fromMs: spellMs, untilMs: spellMs + 1500 },
  };
}

const HOUR_S = 3600;

/**
 * How far the clocks of workers are off, in seconds and when: the first worker is right, the others are 15 minutes fast, an
 * hour fast, or set while they run.
 */
function planClocks(workers, lastsMs) {
  const wrong = [
    [{ atMs: 0, aheadS: HOUR_S / 4 }],
    [{ atMs: 0, aheadS: HOUR_S }],
    [HOUR_S, 0, -HOUR_S, 0].map((aheadS, index) => ({
      atMs: Math.round((lastsMs * (index + 1)) / 5),
      aheadS,
    })),
  ];
  return Array.from({ length: workers - 1 }, (_, index) => ({
    slot: index + 1,
    settings: wrong[index % wrong.length],
  }));
}

/** `service` is what the service answers before the report, one after the other. */
function describeMeeting({ index, atMs, startedAtMs }, random) {
  const service = [];
  const one = random.next();
  if (one < 0.06) service.push(202);
  else if (one < 0.08) service.push(202, 202);
  else if (one < 0.11) service.push(429);
  else if (one < 0.14) service.push(500);
  return {
    id: `crash-${index + 1}`,
    number: index + 1,
    team: index % TEAMS,
    atMs: Math.round(atMs),
    // The event's own time: part of the key of its effects.
    occurrence: new Date(startedAtMs + atMs).toISOString(),
    service,
  };
}

/** The number of the meeting that a title, a subject or a message names. */
export function findMeetingNumber(text) {
  const digits = /\bcrash-(\d+)\b/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Every team's number. */
const teams = Array.from({ length: TEAMS }, (_, index) => index);

/** What is said in a long meeting. */
export const TURNS = 1100;

/** Every tenth meeting has a transcript that makes its page one of several parts. */
export function isLong(id) {
  return findMeetingNumber(id) % 10 === 0;
}

/** The service's name for the workspace of a key. */
const WORKSPACE = 'active';

export const API_KEY = 'sk_crashes';

const second = 1000;

const MAIL_TO = 'team@example.com';

/**
 * Short waits: the run checks whether something happens once, not how long retries go on. What a call may take is
 * also how long the effect of a killed worker stays leased; it is longer than an answer that drips.
 */
const impatient = {
  timeoutMs: 5 * second,
  firstWaitMs: 300,
  maxWaitMs: 3 * second,
  graceMs: second,
  circuit: { failures: 5, firstOpenMs: 500, maxOpenMs: 2 * second },
};

export const policies = {
  slack: { ...impatient, gapMs: 100, concurrency: 8 },
  notion: { ...impatient, gapMs: 20, concurrency: 8 },
  // Five times as long once the server has the mail.
  email: { ...impatient, timeoutMs: 3 * second, concurrency: 8 },
};

/**
 * What a worker of this run is configured with: each team has a channel of its own, and all share the rest. A reply waits
 * for what the ledger says of its message: without a ledger there are none.
 */
export function describeInstallation({ slackUrl, notionUrl, dataSourceId, smtpUrl }, { hasReplies }) {
  const parts = hasReplies ? {} : { sections: ['outcome', 'decisions', 'tasks'] };
  const recipe = (name, use, given = {}) => ({ name, use, when: {}, with: given });
  return {
    workspace: WORKSPACE,
    destinations: {
      slack: { token: 'xoxb-crashes', apiUrl: `${slackUrl}/api/`, channel: 'C0NOBODY' },
      notion: { token: 'crashes', baseUrl: notionUrl, dataSourceId },
      email: { smtpUrl, from: 'Aftermeet <aftermeet@example.com>', to: [MAIL_TO] },
    },
    recipes: [
      ...teams.map((team) =>
        recipe(slackRecipe(team), 'slack-recap', { channel: nameChannel(team), ...parts }),
      ),
      recipe('notion', 'notion-page'),
      recipe('email', 'email-follow-up'),
    ],
    endpointRecipes: Object.fromEntries(
      teams.map((team) => [nameEndpoint(team), [slackRecipe(team), 'notion', 'email']]),
    ),
  };
}

export function nameEndpoint(team) {
  return `team-${team}`;
}

/** The effects of a meeting, with the keys that the ledger must know them by. A reply is the second part of its message. */
export function listEffects(meeting, { dataSourceId }, { hasReplies }) {
  const channel = nameChannel(meeting.team);
  const slack = { recipe: slackRecipe(meeting.team), target: channel };
  const wanted = [
    { destination: 'slack', ...slack, part: 0 },
    ...(hasReplies ? [{ destination: 'reply', ...slack, part: 1 }] : []),
    { destination: 'notion', recipe: 'notion', target: dataSourceId, part: 0 },
    { destination: 'email', recipe: 'email', target: MAIL_TO, part: 0 },
  ];
  return wanted.map(({ destination, recipe, target, part }) => ({
    meeting,
    destination,
    target,
    key: deriveEffectKey({
      workspace: WORKSPACE,
      recipe,
      eventKind: 'meeting.completed',
      meetingId: meeting.id,
      occurrence: meeting.occurrence,
      target,
      part,
    }),
  }));
}

function nameChannel(team) {
  return `C0TEAM${String(team).padStart(2, '0')}`;
}

function slackRecipe(team) {
  return `slack-${team}`;
}
