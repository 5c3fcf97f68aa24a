import { deriveEffectKey } from '@aftermeet/recipes';

/** Slack's limits are per channel: with many of them the run does not wait for its rate limits. */
export const TEAMS = 50;

/** The number of the meeting that a title, a subject or a message names. */
export function findMeetingNumber(text) {
  const digits = /\bcrash-(\d+)\b/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What is said in a long meeting. */
export const TURNS = 1100;

/** Every tenth meeting has a transcript that makes its page one of several parts. */
export function isLong(id) {
  return findMeetingNumber(id) % 10 === 0;
}

/** The service's name for the workspace of a key. */
const WORKSPACE = 'active';

export const API_KEY = 'sk_crashes';

const MAIL_TO = 'team@example.com';

/** The least that settings allow. A message that Slack shows later than this after an attempt can come twice. */
export const GRACE_MS = 5000;

/**
 * Short waits: the run checks whether something happens once, not how long retries go on. What a call may take is
 * also how long the effect of a killed worker stays leased; it is longer than an answer that drips.
 */
const impatient = {
  timeoutMs: 5000,
  firstWaitMs: 300,
  maxWaitMs: 3000,
  graceMs: GRACE_MS,
  circuit: { failures: 5, firstOpenMs: 500, maxOpenMs: 2000 },
};

export const policies = {
  slack: { ...impatient, gapMs: 100, concurrency: 8 },
  notion: { ...impatient, gapMs: 20, concurrency: 8 },
  // Five times as long once the server has the mail.
  email: { ...impatient, timeoutMs: 3000, concurrency: 8 },
};

/**
 * What a worker of this run is configured with: each team has a channel of its own, and all share the rest. A reply waits
 * for what the ledger says of its message: without a ledger there are none.
 */
export function describeInstallation({ slackUrl, notionUrl, dataSourceId, smtpUrl }, { hasReplies }) {
  const parts = hasReplies ? {} : { sections: ['outcome', 'decisions', 'tasks'] };
  const recipe = (name, use, given = {}) => ({ name, use, when: {}, with: given });
  const teams = Array.from({ length: TEAMS }, (_, team) => team);
  return {
    workspace: WORKSPACE,
    destinations: {
      slack: { token: 'xoxb-crashes', apiUrl: slackUrl, channel: 'C0OTHER' },
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
