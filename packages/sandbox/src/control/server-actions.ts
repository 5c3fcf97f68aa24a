import { listOperations } from '@aftermeet/contract';

import { MAX_ADVANCE_MS } from '../clock.ts';
import type { PlannedFault } from '../faults.ts';
import {
  action,
  type ControlAction,
  type ControlledService,
  notFound,
  orRefuse,
  readText,
  refuse,
} from './action.ts';

const withOptions = ['service', 'slack', 'notion'] as const;
const everywhere = [...withOptions, 'mail'] as const;

const advance = {
  words: `0 to ${MAX_ADVANCE_MS / 1000} seconds (a year), several times for more`,
  accepts: (value: unknown) => Number(value) >= 0 && Number(value) * 1000 <= MAX_ADVANCE_MS,
};

const minutes = {
  words: 'a whole number of minutes, or null for minutes that are not counted',
  accepts: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
};

/** What controls the server: faults, time, options and account. */
export const serverActions: readonly ControlAction[] = [
  action({
    command: 'faults list',
    summary: 'list the planned faults',
    at: everywhere,
    route: 'GET /faults',
    run: ({ faults }) => ({ faults: faults.list().map(describeFault) }),
  }),
  action({
    command: 'faults add',
    summary: 'plan one',
    description:
      'Plans a fault.\n\n' +
      'Kinds for calls: latency, status, reset, empty, garbage, hang, drop_after, cut, drip. They happen on any ' +
      `call, or --on ${listOperations()
        .map(({ id }) => id)
        .join(', ')}, or mcp.\n\n` +
      'Kinds for webhooks: duplicate, reorder, bad_signature, stale_timestamp, drop. They happen on deliveries ' +
      'alone, so --on is not needed.\n\n' +
      'The emulators have the kinds for calls too, on the names of their methods: chat.postMessage at Slack, ' +
      'pages.create at Notion; on connect, auth, mail, rcpt, rcpt:<address>, data or accepted at the mail ' +
      'server. Slack and Notion also have the kind error: an error of their own.',
    examples: [
      'faults add status --status 429 --retry-after 2 --on reports.get',
      'faults add drop_after --on recordings.start',
      'faults add duplicate --times always --probability 0.2',
      'faults add error --error channel_not_found --on chat.postMessage --url http://127.0.0.1:4011',
    ],
    at: everywhere,
    route: 'POST /faults',
    status: 201,
    takesBody: true,
    arguments: {
      kind: { flags: '<kind>', help: 'the kind of fault' },
      on: { flags: '--on <target>', help: 'where, as listed above; default any' },
      times: {
        flags: '--times <number>',
        help: 'how often; default once; or always',
        type: 'number',
        orNull: 'always',
      },
      after: { flags: '--after <number>', help: 'how many calls to let pass first', type: 'number' },
      probability: { flags: '--probability <share>', help: 'for each call, from 0 to 1', type: 'number' },
      ms: {
        flags: '--ms <number>',
        help: 'of latency: milliseconds; of drip: before each byte, default 100',
        type: 'number',
      },
      status: {
        flags: '--status <status>',
        help: 'of status: the status of the answer, 400 to 599',
        type: 'number',
      },
      retry_after_seconds: {
        flags: '--retry-after <seconds>',
        help: 'of status: the header Retry-After',
        type: 'number',
      },
      seconds: {
        flags: '--seconds <number>',
        help: 'of stale_timestamp: how old; default 600',
        type: 'number',
      },
      error: { flags: '--error <code>', help: 'of error at Slack, such as channel_not_found' },
      code: { flags: '--code <code>', help: 'of error at Notion, such as rate_limited' },
      is_applied: {
        flags: '--applied',
        help: 'of error: the call is done nevertheless',
        type: 'flag',
      },
    },
    run({ faults }, _values, body) {
      const outcome = faults.tryAdd(body);
      if ('refusal' in outcome) throw refuse(outcome.refusal);
      return { fault: describeFault(outcome.planned) };
    },
    says: ({ fault }) => `Planned as ${readText(fault, 'id')}.`,
  }),
  action({
    command: 'faults remove',
    summary: 'remove one',
    examples: ['faults remove fault-1'],
    at: everywhere,
    route: 'DELETE /faults/:id',
    arguments: { id: { flags: '<fault>', help: 'the fault, as aftermeet sandbox faults list shows it' } },
    run({ faults }, { id }) {
      if (!faults.remove(id))
        throw notFound('No fault has this id; aftermeet sandbox faults list shows them.');
      return { faults: faults.list().map(describeFault) };
    },
    says: () => 'The fault was removed.',
  }),
  action({
    command: 'faults clear',
    summary: 'remove all',
    at: everywhere,
    route: 'DELETE /faults',
    run({ faults }) {
      faults.clear();
      return { faults: [] };
    },
    says: () => 'No fault is planned any more.',
  }),
  action({
    command: 'seed',
    summary: 'add finished meetings',
    description:
      'Adds finished meetings of the last weeks to a running sandbox, in several languages, some with tags.',
    examples: ['seed --meetings 40 --languages en,de'],
    route: 'POST /seed',
    takesBody: true,
    arguments: {
      meetings: { flags: '--meetings <number>', help: 'how many; default 12', type: 'number' },
      languages: { flags: '--languages <codes>', help: 'only these of en,de,ja', type: 'list' },
      days: { flags: '--days <number>', help: 'within how many days; default 30', type: 'number' },
      seed: { flags: '--seed <number>', help: 'another number makes other meetings', type: 'number' },
    },
    buttons: [{ label: 'Add finished meetings', of: 'meetings' }],
    run(service, _values, body) {
      const { meetingIds, tagIds } = service.seed(body);
      return { meeting_ids: meetingIds, tag_ids: tagIds };
    },
    says: ({ meeting_ids: ids }) =>
      `${String(Array.isArray(ids) ? ids.length : 0)} meetings were made: aftermeet search lists them.`,
  }),
  action({
    command: 'advance',
    summary: 'advance its clock',
    description:
      'Advances the clock of a running sandbox. Scheduled bots, processing and the retries of deliveries use it: ' +
      'what becomes due happens at once.',
    examples: ['advance 1h'],
    route: 'POST /clock',
    arguments: {
      advance_seconds: {
        flags: '<time>',
        help: '90s, 15m, 1h30m, 2d; a number alone is seconds',
        type: 'seconds',
        rule: advance,
      },
    },
    buttons: [
      { label: '+ 1 minute', of: 'clock', body: { advance_seconds: 60 } },
      { label: '+ 15 minutes', of: 'clock', body: { advance_seconds: 900 } },
      { label: '+ 1 hour', of: 'clock', body: { advance_seconds: 3600 } },
      { label: '+ 1 day', of: 'clock', body: { advance_seconds: 86_400 } },
    ],
    run(service, { advance_seconds: seconds }) {
      orRefuse(() => {
        service.advance(seconds * 1000);
      });
      return describeClock(service);
    },
    says: (answer) => readText(answer, 'now'),
  }),
  action({
    command: 'clock',
    summary: 'show its time',
    description: 'Shows the time of a running sandbox; aftermeet sandbox advance <time> changes it.',
    route: 'GET /clock',
    run: describeClock,
    says: (answer) => readText(answer, 'now'),
  }),
  action({
    command: 'options',
    summary: 'show and set what the specification leaves open',
    description:
      'Shows the options of a running sandbox: each stands for something that the specification leaves open ' +
      '(docs/sandbox-assumptions.md explains them). A * marks those that differ from their default. name=value ' +
      'sets one; the value is JSON, or text.',
    examples: ['options', 'options errorShape=nested statusAnswer=json'],
    at: withOptions,
    route: 'GET /options',
    run: ({ options }) => ({ options: options.get() }),
  }),
  action({
    summary: 'set options',
    at: withOptions,
    route: 'PATCH /options',
    takesBody: true,
    run({ options }, _values, body) {
      const outcome = options.trySet(body);
      if ('refusal' in outcome) throw refuse(outcome.refusal);
      return outcome;
    },
  }),
  action({
    summary: 'reset the options',
    at: withOptions,
    route: 'DELETE /options',
    buttons: [{ label: 'Reset the options', of: 'options' }],
    run({ options }) {
      options.reset();
      return { options: options.get() };
    },
  }),
  action({
    command: 'key',
    summary: 'regenerate the API key',
    description: 'Makes a new API key, or uses the given one, and prints it. The old one is invalid at once.',
    route: 'POST /key',
    arguments: { key: { flags: '[key]', help: 'the new key' } },
    run: ({ account }, { key }) => ({ key: orRefuse(() => account.changeKey(key)) }),
    says: (answer) => readText(answer, 'key'),
  }),
  action({
    command: 'plan',
    summary: 'show or change the plan and its minutes',
    description:
      'With the plan none every call is refused with 403; with no minutes left, new meetings with 402.',
    examples: ['plan', 'plan pro --minutes-left 0'],
    route: 'POST /plan',
    arguments: {
      plan: { flags: '[plan]', help: 'the plan', choices: ['none', 'lite', 'pro', 'business'] },
      minutes_left: {
        flags: '--minutes-left <number>',
        help: 'minutes, or unlimited',
        type: 'number',
        orNull: 'unlimited',
        rule: minutes,
      },
    },
    run(service, { plan, minutes_left: minutesLeft }) {
      const before = service.account.plan();
      service.account.changePlan({
        name: plan ?? before.name,
        minutesLeft: minutesLeft === undefined ? before.minutesLeft : minutesLeft,
      });
      return describePlan(service);
    },
    says({ plan, minutes_left: left }) {
      const isCounted = typeof left === 'number';
      return `Plan ${String(plan)}, ${isCounted ? `${String(left)} minutes left` : 'minutes without limit'}`;
    },
  }),
  action({ summary: 'show the plan', route: 'GET /plan', run: describePlan }),
  action({
    summary: 'list the uploads',
    route: 'GET /uploads',
    run: ({ uploads }) => ({ uploads: uploads.list() }),
  }),
  action({
    summary: 'list what arrived',
    at: ['slack', 'notion', 'mail'],
    route: 'GET /received',
    run: ({ received }) => ({ received: received() }),
  }),
  action({
    command: 'reset',
    summary: 'delete all data',
    description:
      'Removes meetings, tags, uploads, deliveries and faults, and resets the options; the first key is valid again. ' +
      'At an emulator (--url): what arrived, faults and options.',
    at: everywhere,
    route: 'POST /reset',
    run({ reset }) {
      reset();
      return { status: 'ok' };
    },
    says: () => 'Everything is as at the start.',
  }),
];

function describeFault({ id, fault, happened }: PlannedFault<object>): object {
  return { id, ...fault, happened };
}

function describeClock({ clock, lifecycle }: ControlledService): object {
  return { now: new Date(clock.now()).toISOString(), transitions: lifecycle.transitions };
}

function describePlan({ account }: ControlledService): object {
  const { name, minutesLeft } = account.plan();
  return { plan: name, minutes_left: minutesLeft };
}
