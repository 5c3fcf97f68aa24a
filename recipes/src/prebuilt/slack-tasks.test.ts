import type { Interception } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import type { SlackMessage } from '../destinations/slack/message.ts';
import { type PlannedEffect, expandTarget } from '../engine/recipe.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { openTestSlack, testChannel, testStartMs } from '../testing/test-slack.ts';
import { slackTasks } from './slack-tasks.ts';

const fallback = 'C0TASKS0000';
const hourMs = 60 * 60 * 1000;

/** Owners with their addresses, and one task without an owner. */
function digestOf(owners: Readonly<Record<string, string | undefined>>): Digest {
  return buildDigest({
    ...sampleReport,
    participants: Object.entries(owners).map(([name, email]) =>
      email === undefined ? { name } : { name, email },
    ),
    tasks: [
      ...Object.keys(owners).map((owner) => ({ text: `Work of ${owner}`, owner, due: '2026-07-10' })),
      { text: 'Book a room' },
    ],
  });
}

const team = digestOf({
  'Anna Berg': 'anna@example.com',
  'Eve Out': 'eve@other.example',
  Tom: undefined,
  Max: undefined,
});

function bind(options: Readonly<Record<string, unknown>> = {}, digest = team, clicks = {}) {
  expect(slackTasks.check(options)).toEqual([]);
  const slack = { token: 'xoxb-test', channel: testChannel, ...clicks };
  const { input, plan } = slackTasks.bind(options, { slack });
  if (input.from !== 'report') throw new Error('it is made from the report');
  const effects = input.expand?.(digest, { target: expandTarget, part: 0 }) ?? [];
  const render = (effect: PlannedEffect | undefined): SlackMessage => {
    if (effect === undefined) throw new Error('there is no effect');
    const rendered = input.render(digest, effect);
    if ('skip' in rendered || rendered.destination !== 'slack') throw new Error('nothing is rendered');
    return rendered.message;
  };
  return { effects, render, input, plan, targets: effects.map(({ target }) => target) };
}

/** Slack and the first lines of what the recipe sends there. */
async function open() {
  const at = await openTestSlack();
  const listPosted = (): string[] =>
    at.emulator.received().map(({ channel, text }) => `${channel} ${text.split('\n')[0] ?? ''}`);
  const send = async (options: Readonly<Record<string, unknown>> = {}): Promise<string[]> => {
    const { effects, render } = bind(options);
    for (const [index, effect] of effects.entries()) {
      const label = { effectKey: `k${String(index)}`, target: effect.target };
      const preparation = await at.tryPrepare(render(effect), label);
      if (preparation.result === 'ready') await preparation.prepared.send();
    }
    return listPosted();
  };
  return { ...at, send, listPosted };
}

describe('slackTasks', () => {
  it('writes only to owners who are members, and says why not to others', async () => {
    const { send, tryPrepare, emulator } = await open();
    expect(await send()).toEqual(['D0ANNA Your tasks: Weekly sync']);
    const text = emulator.received()[0]?.text ?? '';
    expect(text).toContain('• Work of Anna Berg (due 10 Jul 2026)');
    expect(text).not.toContain('Work of Eve');
    const { effects, render } = bind();
    expect(effects).toHaveLength(2);
    expect(await tryPrepare(render(effects[1]))).toEqual({
      result: 'no_recipient',
      cause:
        'the owner is no member of the workspace, or a guest: name them under people, or set a fallback channel',
    });
  });

  it('finds people by name or address in its options, and tells the channel about the others', async () => {
    const people = { tom: 'U0TOM', 'eve@other.example': 'U0SANDBOX' };
    expect(await (await open()).send({ people, fallback })).toEqual([
      'D0ANNA Your tasks: Weekly sync',
      'D0SANDBOX Your tasks: Weekly sync',
      'D0TOM Your tasks: Weekly sync',
      `${fallback} Open tasks: Weekly sync`,
    ]);
  });

  it('tells the channel in one message of all whom it cannot write to, by owner', async () => {
    const { send, emulator } = await open();
    expect(await send({ fallback })).toEqual([
      'D0ANNA Your tasks: Weekly sync',
      `${fallback} Open tasks: Weekly sync`,
    ]);
    expect(emulator.received()[1]?.text.split('\n').slice(4)).toEqual([
      'Eve Out',
      '• Work of Eve Out (due 10 Jul 2026)',
      'Tom',
      '• Work of Tom (due 10 Jul 2026)',
      'Max',
      '• Work of Max (due 10 Jul 2026)',
      'No owner',
      '• Book a room',
    ]);
  });

  it('tells the channel nothing when each owner is written to', async () => {
    const { tryPrepare } = await open();
    const tasks = [{ text: 'Work', owner: 'Anna Berg' }];
    const participants = [{ name: 'Anna Berg', email: 'anna@example.com' }];
    const { effects, render } = bind({ fallback }, buildDigest({ ...sampleReport, participants, tasks }));
    expect(effects).toHaveLength(2);
    expect(await tryPrepare(render(effects[1]))).toEqual({
      result: 'no_recipient',
      cause: 'each owner gets their tasks directly',
    });
  });

  it('cuts what the channel is told only after it has left out the tasks of others', async () => {
    const { tryPrepare, emulator } = await open();
    const many = Array.from({ length: 90 }, (_each, index) => ({
      text: `Job ${index} ${'word '.repeat(20)}`,
      owner: 'Anna Berg',
    }));
    const digest = buildDigest({
      ...sampleReport,
      participants: [{ name: 'Anna Berg', email: 'anna@example.com' }],
      tasks: [...many, { text: 'Book a room' }],
    });
    const { effects, render } = bind({ fallback }, digest);
    expect(JSON.stringify(render(effects[1]).blocks)).not.toContain('Book a room');
    const preparation = await tryPrepare(render(effects[1]), { target: fallback });
    if (preparation.result === 'ready') await preparation.prepared.send();
    expect(emulator.received()[0]?.text).toContain('• Book a room');
    expect(emulator.received()[0]?.text).not.toContain('There are more in the report');
  });

  it('writes to no address that only the text of a task holds', async () => {
    const tasks = [
      { text: 'Pay the invoice', owner: 'anna@example.com' },
      { text: 'Call back', owner: 'Tom <tom@example.com>' },
    ];
    const stranger = buildDigest({ ...sampleReport, participants: [{ name: 'Eve' }], tasks });
    expect(bind({}, stranger).targets).toEqual([]);
    expect(bind({ fallback }, stranger).targets).toEqual([fallback]);
    const { effects, render } = bind({ fallback }, stranger);
    expect(render(effects[0]).text).toContain('Pay the invoice');
    expect(render(effects[0]).shared?.shares.map(({ person }) => person)).toEqual([undefined, undefined]);
    expect(bind({ people: { 'ANNA@example.com': 'U0ANNA' } }, stranger).effects).toHaveLength(1);
    const guest = { ...stranger, attendees: [{ email: 'Tom@Example.com' }] };
    expect(bind({}, guest).effects).toHaveLength(1);
  });

  it.each<[Interception, string]>([
    [{ status: 200, body: { ok: false, error: 'invalid_auth' } }, 'paused'],
    [{ status: 200, body: { ok: false, error: 'fatal_error' } }, 'not_sent_retry'],
    [{ status: 503 }, 'not_sent_retry'],
  ])('keeps the tasks together for another try when Slack answers %j', async (answer, result) => {
    const { tryPrepare, state } = await open();
    const { effects, render } = bind({ fallback });
    state.rule = ({ path }) => (path.includes('users.') ? answer : 'pass');
    expect(await tryPrepare(render(effects[0]))).toMatchObject({ result });
    expect(await tryPrepare(render(effects.at(-1)))).toMatchObject({ result });
  });

  it('tells the channel about a named member who does not exist', async () => {
    const { send, emulator } = await open();
    await send({ people: { Tom: 'U0NOBODY' }, fallback });
    expect(emulator.received().map(({ channel }) => channel)).toEqual(['D0ANNA', fallback]);
    expect(emulator.received()[1]?.text).toContain('• Work of Tom');
  });

  it('writes to a guest only if the options name them', async () => {
    const { send, state } = await open();
    const user = { id: 'U0ANNA', is_restricted: true };
    state.rule = ({ path }) =>
      path.endsWith('users.lookupByEmail') ? { status: 200, body: { ok: true, user } } : 'pass';
    expect(await send()).toEqual([]);
    expect(await send({ people: { 'Anna Berg': 'U0ANNA' } })).toEqual(['D0ANNA Your tasks: Weekly sync']);
  });

  it('takes a name in any spelling, none twice and none that is blank', async () => {
    const people = { ＭＡＸ: 'U0TOM', ' EVE  out ': 'U0SANDBOX' };
    expect(await (await open()).send({ people })).toEqual([
      'D0ANNA Your tasks: Weekly sync',
      'D0SANDBOX Your tasks: Weekly sync',
      'D0TOM Your tasks: Weekly sync',
    ]);
    expect(slackTasks.check({ people: { 'Tom Ray': 'U0TOM', 'tom  ray': 'U0SANDBOX' } })).toMatchObject([
      { setting: 'with.people', expected: 'each name or address once' },
    ]);
    for (const name of ['', ' ', '\t\u00a0']) {
      expect(slackTasks.check({ people: { [name]: 'U0TOM' } })).toMatchObject([
        { setting: 'with.people', expected: 'a name or an address before each id' },
      ]);
    }
  });

  it('has one target per person, however the name is written, and no name or address in it', () => {
    const targetsOf = (...owners: string[]): readonly string[] =>
      bind(
        { people: { 'Ann Lee': 'U0ANN' } },
        buildDigest({ ...sampleReport, tasks: owners.map((owner) => ({ text: 'a', owner })) }),
      ).targets;
    expect(targetsOf('ann lee')).toEqual(targetsOf('Ann  Lee'));
    expect(targetsOf('Ann Lee <Ann@example.com>')).toEqual(targetsOf('Ann Lee'));
    expect(targetsOf('Ann Lee')).toEqual([expect.stringMatching(/^person:[0-9a-f]{16}$/)]);
  });

  it('keeps two people of one name apart, and two who are known by their addresses alone', () => {
    const owners = ['ann@example.com', 'ann@other.example', 'x@example.com', 'y@example.com'];
    const namesakes = buildDigest({
      ...sampleReport,
      participants: owners.map((email, at) => (at < 2 ? { name: 'Ann Lee', email } : { email })),
      tasks: owners.map((owner) => ({ text: `Work of ${owner.replace('@', ' at ')}`, owner })),
    });
    const { effects, targets, render } = bind({}, namesakes);
    expect(new Set(targets).size).toBe(4);
    expect(effects.map((effect) => /Work of \w+ at \w+/.exec(JSON.stringify(render(effect)))?.[0])).toEqual([
      'Work of ann at example',
      'Work of ann at other',
      'Work of x at example',
      'Work of y at example',
    ]);
  });

  it('gives the first tasks a button where Slack tells of clicks, and none where it does not', () => {
    const tasks = Array.from({ length: 30 }, (_each, at) => ({ text: `Task ${at}`, owner: 'Anna Berg' }));
    const many = buildDigest({
      ...sampleReport,
      participants: [{ name: 'Anna Berg', email: 'anna@example.com' }],
      tasks,
    });
    const types = (clicks: object) => {
      const { effects, render } = bind({}, many, clicks);
      return render(effects[0]).blocks.map((block) =>
        block.type === 'section' ? block.text.text : block.type,
      );
    };
    const withButtons = types({ signingSecret: 'x'.repeat(32) });
    expect(withButtons.slice(0, 4)).toEqual(['header', 'context', '• Task 0', '• Task 1']);
    expect(withButtons.slice(20)).toEqual(['• Task 18', '• Task 19', 'rich_text']);
    expect(types({ appToken: 'xapp-1' })).toEqual(withButtons);
    expect(types({})).toEqual(['header', 'context', 'rich_text']);
  });

  it('plans by the report alone', () => {
    const { effects, plan, input } = bind({ fallback });
    expect(plan(sampleEvent)).toEqual([{ target: expandTarget, part: 0 }]);
    expect(effects).toHaveLength(3);
    expect(effects.at(-1)).toEqual({ target: fallback, part: 0, item: 'fallback' });
    for (const effect of effects) expect(input.expand?.(team, effect)).toEqual([]);
    expect(input.render(team, { target: 'person:0000000000000000', part: 0 })).toHaveProperty('skip');
  });

  it('finds what it wrote to a person when the answer was lost', async () => {
    const { prepare, once, emulator } = await open();
    const { effects, render } = bind();
    const prepared = await prepare(render(effects[0]));
    once('chat.postMessage', 'drop_after');
    expect(await prepared.send()).toMatchObject({ result: 'unknown' });
    const reference = `D0ANNA/${emulator.received()[0]?.ts ?? ''}`;
    expect(await prepared.probe(testStartMs)).toEqual({ result: 'found', reference });
    const other = await prepare(render(effects[0]), { effectKey: 'k2' });
    expect(await other.probe(testStartMs)).toEqual({ result: 'absent' });
  });

  it('takes tasks out of the message in the channel once it can find their owner', async () => {
    const { post, prepare, tryPrepare, emulator, state } = await open();
    const { effects, render } = bind({ fallback });
    const { scopes } = emulator.options.get();
    emulator.options.set({ scopes: ['chat:write'] });
    expect(await tryPrepare(render(effects[0]))).toEqual({
      result: 'no_recipient',
      cause: 'the owner is no member of the workspace, or a guest: the fallback channel gets their tasks',
    });
    const reference = await post(render(effects.at(-1)), { target: fallback });
    expect(emulator.received()[0]?.text).toContain('• Work of Anna Berg');
    emulator.options.set({ scopes });
    state.nowMs += 2 * hourMs;
    const later = await prepare(render(effects.at(-1)), { target: fallback });
    expect(await later.probe(testStartMs)).toEqual({ result: 'found', reference });
    expect(await later.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(emulator.received()[0]?.text).not.toContain('• Work of Anna Berg');
    await post(render(effects[0]));
    expect(emulator.received().at(-1)).toMatchObject({ channel: 'D0ANNA' });
  });

  it('fails for good without the scope', async () => {
    const { tryPrepare, emulator } = await open();
    const { effects, render } = bind();
    emulator.options.set({ scopes: ['chat:write'] });
    expect(await tryPrepare(render(effects[0]))).toMatchObject({
      result: 'permanent',
      cause: 'Slack answered missing_scope: give the app the scope users:read.email, and install it again',
    });
  });
});
