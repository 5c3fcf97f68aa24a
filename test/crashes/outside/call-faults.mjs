/**
 * What goes wrong at the destinations, by chance: the stand-ins draw it from the seed, call by call. `drip` is an
 * answer that takes its time after the call was done: a worker that is killed meanwhile has sent and not noted it.
 */
const always = { times: null };

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

/** Calls to Slack. */
export const slackFaults = (hangs) => [
  ...silent('chat.postMessage', hangs),
  ...lost('chat.postMessage'),
  ...refused('chat.postMessage'),
  ...slow('chat.postMessage'),
  ...refused('conversations.history'),
  ...refused('conversations.replies'),
  { kind: 'cut', on: 'conversations.history', probability: 0.02, ...always },
];

/** Errors of Slack's own, with the call done or not. */
export const slackErrors = [
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
export const notionFaults = (hangs) => [
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
export const notionErrors = [
  { ...saved, probability: 0.015 },
  { ...saved, is_told: false, probability: 0.015 },
  { kind: 'error', code: 'conflict_error', on: 'pages.create', probability: 0.01, ...always },
];

/** Steps of a mail before the server keeps it. */
export const mailFaults = [
  { kind: 'reset', on: 'connect', probability: 0.02, ...always },
  { kind: 'status', on: 'mail', status: 421, probability: 0.01, ...always },
  { kind: 'status', on: 'rcpt', status: 450, probability: 0.01, ...always },
  { kind: 'reset', on: 'data', probability: 0.02, ...always },
  { kind: 'status', on: 'data', status: 451, probability: 0.02, ...always },
];
