import { createSlackStandIn, type SlackStandIn } from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../digest.ts';
import { slackTasks } from '../prebuilt/slack-tasks/slack-tasks.ts';
import { type PlannedEffect, spreadTarget } from '../recipe.ts';
import type { Carrier, Preparation, Shipment } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { renderSlackRecap } from './render-slack-recap.ts';
import { openSlack } from './send-slack-message.ts';
import type { SlackMessage } from './slack-message.ts';

const channel = 'C0123456789';
const fallback = 'C0TASKS0000';
const nowMs = 1_795_000_000_000;
let time: number;
let asked: string[];
let isBroken: boolean;
/** What Slack says of the people whom it is asked for. */
let person: object | undefined;
let standIn: SlackStandIn;
let slack: Carrier<SlackMessage>;

beforeEach(async () => {
  time = nowMs;
  asked = [];
  isBroken = false;
  person = undefined;
  standIn = createSlackStandIn({
    clock: () => time,
    intercept: ({ path, body }) => {
      const method = path.replace('/api/', '');
      asked.push(method === 'users.lookupByEmail' ? `${method} ${JSON.stringify(body)}` : method);
      if (!method.startsWith('users.')) return 'pass';
      if (person !== undefined) return { status: 200, body: { ok: true, user: person } };
      return isBroken ? { status: 503 } : 'pass';
    },
  });
  const apiUrl = `${(await standIn.listen()).url}/api/`;
  slack = openSlack({ token: 'xoxb-test', apiUrl, channel }, undefined, undefined, () => time);
});
afterEach(async () => {
  await slack.close();
  await standIn.close();
});

/** A report in which each owner has the address that is given. */
function digestWith(addresses: Readonly<Record<string, string>>): Digest {
  const digest = buildDigest({
    ...sampleReport,
    tasks: [
      ...Object.keys(addresses).map((owner) => ({ text: `Work of ${owner}`, owner, due: '2026-07-10' })),
      { text: 'Book a room' },
    ],
  });
  const taskGroups = digest.taskGroups.map((group) => {
    const { email: _email, ...own } = group;
    const email = addresses[group.owner ?? ''] ?? '';
    return email === '' ? own : { ...own, email };
  });
  return { ...digest, taskGroups };
}

function ready(preparation: Preparation): Shipment {
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

function lookups(): number {
  return asked.filter((call) => call.startsWith('users.')).length;
}

describe('an owner in a recap', () => {
  const anna = digestWith({ 'Anna Berg': 'Anna@example.com', 'Eve Out': 'eve@other.example' });

  async function post(label = 'k1'): Promise<string> {
    const shipment = ready(
      await slack.prepare(renderSlackRecap(anna), { effectKey: label, target: channel }),
    );
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
    return JSON.stringify(standIn.received().at(-1)?.blocks);
  }

  it('is mentioned when the address is known in the workspace, else named; each is asked for once', async () => {
    const blocks = await post();
    expect(blocks).toContain('{"type":"user","user_id":"U0ANNA"}');
    expect(blocks).toContain('{"type":"text","text":"Eve Out","style":{"bold":true}}');
    expect(blocks).not.toContain('@');
    expect(standIn.received()[0]?.text).toContain('Anna Berg');
    await post('k2');
    expect(lookups()).toBe(2);
    time += 2 * 60 * 60 * 1000;
    await post('k3');
    expect(lookups()).toBe(4);
  });

  it.each(['is_restricted', 'is_ultra_restricted', 'is_stranger', 'is_bot', 'deleted'])(
    'is named when Slack says %s',
    async (mark) => {
      person = { id: 'U0ANNA', [mark]: true };
      expect(await post()).not.toContain('"user"');
    },
  );

  it('is named when the app may not look, or Slack is out of order', async () => {
    standIn.knobs.turn({ scopes: ['chat:write'] });
    expect(await post()).not.toContain('"user"');
    await post('again');
    expect(lookups()).toBe(2);
    standIn.knobs.turn({ scopes: ['chat:write', 'users:read.email'] });
    time += 2 * 60 * 60 * 1000;
    isBroken = true;
    expect(await post('k2')).not.toContain('"user"');
    isBroken = false;
    expect(await post('k3')).toContain('U0ANNA');
  });
});

describe('slackTasks', () => {
  const digest = digestWith({
    'Anna Berg': 'anna@example.com',
    'Eve Out': 'eve@other.example',
    Tom: '',
    Max: '',
  });
  const destinations = { slack: { token: 'xoxb-test', channel } };

  function bind(values: object) {
    expect(slackTasks.check({ ...values })).toEqual([]);
    const { subject, plan } = slackTasks.bind({ ...values }, destinations);
    if (subject.from !== 'report') throw new Error('it is made from the report');
    const effects = subject.spread?.(digest, { target: spreadTarget, part: 0 }) ?? [];
    const render = (effect: PlannedEffect): SlackMessage => {
      const rendered = subject.render(digest, effect);
      if ('skip' in rendered || rendered.destination !== 'slack') throw new Error('nothing is rendered');
      return rendered.message;
    };
    return { effects, render, subject, plan };
  }

  async function send(values: object): Promise<string[]> {
    const { effects, render } = bind(values);
    for (const [at, effect] of effects.entries()) {
      const label = { effectKey: `k${String(at)}`, target: effect.target };
      const preparation = await slack.prepare(render(effect), label);
      if (preparation.result === 'ready') await preparation.shipment.send();
    }
    return standIn.received().map((message) => `${message.channel} ${message.text.split('\n')[0] ?? ''}`);
  }

  it('writes to each owner whom the workspace knows, and to nobody else', async () => {
    expect(await send({})).toEqual(['D0ANNA Your tasks: Weekly sync']);
    const told = standIn.received()[0]?.text ?? '';
    expect(told).toContain('• Work of Anna Berg (due 2026-07-10)');
    expect(told).not.toContain('Eve');
  });

  it('takes people by name or address, and tells the channel of everybody else', async () => {
    const people = { tom: 'U0TOM', 'eve@other.example': 'U0SANDBOX' };
    expect(await send({ people, fallback })).toEqual([
      'D0ANNA Your tasks: Weekly sync',
      'D0SANDBOX Your tasks: Weekly sync',
      'D0TOM Your tasks: Weekly sync',
      `${fallback} Tasks of Max: Weekly sync`,
      `${fallback} Tasks without an owner: Weekly sync`,
    ]);
  });

  it('writes to no guest who is not named', async () => {
    person = { id: 'U0ANNA', is_restricted: true };
    expect(await send({})).toEqual([]);
    expect(await send({ people: { 'Anna Berg': 'U0ANNA' } })).toEqual(['D0ANNA Your tasks: Weekly sync']);
  });

  it('takes names with blanks around them, and none that is blank', async () => {
    expect(await send({ people: { ' tom ': 'U0TOM' } })).toContain('D0TOM Your tasks: Weekly sync');
    for (const name of ['', ' ', '\t\u00a0']) {
      expect(slackTasks.check({ people: { [name]: 'U0TOM' } })).toEqual([
        {
          setting: 'with.people',
          found: 'a value that does not fit',
          expected: 'a name or an address before each id',
        },
      ]);
    }
  });

  it('takes a name however it is written, and no name twice', async () => {
    expect(await send({ people: { ＭＡＸ: 'U0TOM', 'EVE  out': 'U0SANDBOX' } })).toEqual([
      'D0ANNA Your tasks: Weekly sync',
      'D0SANDBOX Your tasks: Weekly sync',
      'D0TOM Your tasks: Weekly sync',
    ]);
    expect(slackTasks.check({ people: { 'Tom Ray': 'U0TOM', 'tom  ray': 'U0SANDBOX' } })).toMatchObject([
      { setting: 'with.people', expected: 'each name or address once' },
    ]);
  });

  it('writes to the same person when their name is written in another way the next time', () => {
    const targetsOf = (owner: string): readonly string[] => {
      const report = { ...sampleReport, tasks: [{ text: 'a', owner }] };
      const { subject } = bind({});
      const effects = subject.spread?.(buildDigest(report), { target: spreadTarget, part: 0 }) ?? [];
      return effects.map(({ target }) => target);
    };
    expect(targetsOf('ann lee')).toEqual(targetsOf('Ann  Lee'));
    expect(targetsOf('Ann Lee <Ann@example.com>')).toEqual(targetsOf('Ann Lee'));
    expect(targetsOf('Ann Lee')).toHaveLength(1);
  });

  it('tells the channel of a member that is not there', async () => {
    expect(await send({ people: { Tom: 'U0NOBODY' }, fallback })).toContain(
      `${fallback} Tasks of Tom: Weekly sync`,
    );
  });

  it('says why it writes to nobody outside', async () => {
    const { effects, render } = bind({});
    expect(effects).toHaveLength(2);
    const [, eve] = effects;
    if (eve === undefined) throw new Error('there is no effect');
    expect(await slack.prepare(render(eve), { effectKey: 'k', target: eve.target })).toEqual({
      result: 'nobody',
      cause:
        'the owner is no member of the workspace, or a guest: name them under people, or set a fallback channel',
    });
  });

  it('puts no name and no address into a target, and plans by the report alone', () => {
    const { effects, plan, subject } = bind({ fallback });
    expect(effects.map(({ target }) => target)).toEqual([
      expect.stringMatching(/^person:[0-9a-f]{16}$/),
      expect.stringMatching(/^person:[0-9a-f]{16}$/),
      expect.stringMatching(/^person:[0-9a-f]{16}$/),
      expect.stringMatching(/^person:[0-9a-f]{16}$/),
      fallback,
    ]);
    expect(effects.at(-1)?.item).toBe('unowned');
    const event = {
      kind: 'meeting.completed',
      meetingId: 'm_1',
      occurrence: '',
      endpoint: '',
      receivedAt: '',
    };
    expect(plan(event)).toEqual([{ target: spreadTarget, part: 0 }]);
    for (const effect of effects) expect(subject.spread?.(digest, effect)).toEqual([]);
    expect(subject.render(digest, { target: 'person:0000000000000000', part: 0 })).toHaveProperty('skip');
  });

  it('finds a message again whose answer was lost', async () => {
    const { effects, render } = bind({});
    const [anna] = effects;
    if (anna === undefined) throw new Error('there is no effect');
    const label = { effectKey: 'k', target: anna.target };
    const shipment = ready(await slack.prepare(render(anna), label));
    const sent = await shipment.send();
    expect(await shipment.probe(nowMs)).toEqual({
      result: 'found',
      reference: sent.result === 'sent' ? sent.reference : '',
    });
    expect(
      await ready(await slack.prepare(render(anna), { ...label, effectKey: 'k2' })).probe(nowMs),
    ).toEqual({
      result: 'absent',
    });
  });

  it('keeps two people of one name apart, and two who are known by their addresses alone', () => {
    const namesakes = buildDigest({
      ...sampleReport,
      participants: [
        { name: 'Ann Lee', email: 'ann@example.com' },
        { name: 'Ann Lee', email: 'ann@other.example' },
      ],
      tasks: ['ann@example.com', 'ann@other.example', 'x@example.com', 'y@example.com'].map((owner) => ({
        text: `Work of ${owner.replace('@', ' at ')}`,
        owner,
      })),
    });
    const { subject } = bind({});
    const effects = subject.spread?.(namesakes, { target: spreadTarget, part: 0 }) ?? [];
    expect(new Set(effects.map(({ target }) => target)).size).toBe(4);
    const told = effects.map((effect) => JSON.stringify(subject.render(namesakes, effect)));
    for (const [at, whose] of ['ann at example', 'ann at other', 'x at example', 'y at example'].entries()) {
      expect(told[at]).toContain(`Work of ${whose}`);
    }
  });

  it('finds what went to the channel before its owner could be found, and changes it where it is', async () => {
    const { effects, render } = bind({ fallback });
    const [anna] = effects;
    if (anna === undefined) throw new Error('there is no effect');
    const label = { effectKey: 'k', target: anna.target };
    const { scopes } = standIn.knobs.read();
    standIn.knobs.turn({ scopes: ['chat:write'] });
    const sent = await ready(await slack.prepare(render(anna), label)).send();
    expect(sent).toMatchObject({ result: 'sent' });
    const reference = sent.result === 'sent' ? sent.reference : '';
    expect(reference).toContain(fallback);
    standIn.knobs.turn({ scopes });
    time += 2 * 60 * 60 * 1000;
    const later = ready(await slack.prepare(render(anna), label));
    expect(await later.probe(nowMs)).toEqual({ result: 'found', reference });
    expect(await later.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(
      standIn.received().map(({ channel: where, text }) => `${where} ${text.split('\n')[0] ?? ''}`),
    ).toEqual([`${fallback} Tasks of Anna Berg: Weekly sync`]);
  });

  it('waits where Slack can not be asked who somebody is', async () => {
    const { effects, render } = bind({});
    const [anna] = effects;
    if (anna === undefined) throw new Error('there is no effect');
    isBroken = true;
    expect(await slack.prepare(render(anna), { effectKey: 'k', target: anna.target })).toMatchObject({
      result: 'not_sent_retry',
    });
    standIn.knobs.turn({ scopes: ['chat:write'] });
    isBroken = false;
    expect(await slack.prepare(render(anna), { effectKey: 'k', target: anna.target })).toMatchObject({
      result: 'permanent',
      cause: 'Slack answered missing_scope: give the app the scope users:read.email, and install it again',
    });
  });
});
