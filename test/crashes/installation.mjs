import { deriveEffectKey } from '@aftermeet/recipes';

import { teams } from './plan.mjs';

/** The service's name for the workspace of a key. */
export const WORKSPACE = 'active';
export const API_KEY = 'sk_crashes';

const second = 1000;
const MAIL_TO = 'team@example.com';

/**
 * Short waits: what is looked at is whether something happens once, not how patient anybody is. What a call may take is
 * also how long nobody may touch the effect of a worker that was killed; it is longer than an answer that drips.
 */
const impatient = {
  timeoutMs: 5 * second,
  firstWaitMs: 300,
  longestWaitMs: 3 * second,
  graceMs: second,
  circuit: { failures: 5, firstOpenMs: 500, longestOpenMs: 2 * second },
};

export const policies = {
  slack: { ...impatient, gapMs: 100, places: 8 },
  notion: { ...impatient, gapMs: 20, places: 8 },
  // Five times as long once the server has the mail.
  email: { ...impatient, timeoutMs: 3 * second, places: 8 },
};

/**
 * What a worker of this run is configured with: each team has a channel of its own, and all share the rest. A reply waits
 * for what the ledger says of its message: without a ledger there are none.
 */
export function describeInstallation({ slackUrl, notionUrl, dataSourceId, smtpUrl }, { hasReplies }) {
  const sections = hasReplies ? 'all' : 'none';
  const recipe = (name, use, given = {}) => ({ name, use, when: {}, with: given });
  return {
    workspace: WORKSPACE,
    destinations: {
      slack: { token: 'xoxb-crashes', apiUrl: `${slackUrl}/api/`, channel: 'C0NOBODY' },
      notion: { token: 'crashes', baseUrl: notionUrl, dataSourceId },
      mail: { smtpUrl, from: 'Aftermeet <aftermeet@example.com>', to: [MAIL_TO] },
    },
    recipes: [
      ...teams.map((team) =>
        recipe(slackRecipe(team), 'slack-recap', { channel: nameChannel(team), sections }),
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
