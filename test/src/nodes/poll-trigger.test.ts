import { createClient } from '@aftermeet/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { AftermeetPollTrigger } from '../../../nodes/nodes/AftermeetPollTrigger/AftermeetPollTrigger.node.ts';
import { MAX_STATUS_REQUESTS } from '../../../nodes/nodes/AftermeetPollTrigger/poll-meetings.ts';
import { mostSettled, readPollState } from '../../../nodes/nodes/AftermeetPollTrigger/poll-state.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { openPollModel } from './support/poll-model.ts';
import { openSandbox, serve } from './support/serve.ts';

type PollContext = ThisParameterType<AftermeetPollTrigger['poll']>;

async function openService() {
  const { sandbox, url } = await openSandbox();
  const { recordings } = createClient({ baseUrl: url, apiKey: 'sandbox_key' });
  let calls = 0;
  const record = async (title: string, localDateTime?: string): Promise<string> => {
    const input = { link: `https://zoom.us/j/${(calls += 1)}`, title, localDateTime };
    return (await recordings.start(input, { allowPast: true })).meetingId;
  };
  return { sandbox, url, record };
}

interface PollerOptions {
  readonly url: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly staticData?: Record<string, unknown>;
  readonly mode?: 'trigger' | 'manual';
}

/** The node as n8n polls it: its static data lives as long as the workflow is active. */
function openPoller({ url, parameters = {}, staticData = {}, mode = 'trigger' }: PollerOptions) {
  const given: Readonly<Record<string, unknown>> = {
    events: ['meeting.completed', 'meeting.failed'],
    ...parameters,
  };
  const { execute, requests } = createNodeContext({ baseUrl: url });
  const context = Object.assign(execute, {
    getMode: () => mode,
    getNodeParameter: (name: string, fallback?: unknown) => given[name] ?? fallback,
    getWorkflowStaticData: () => staticData,
  });
  const node = new AftermeetPollTrigger();
  return {
    requests,
    staticData,
    poll: async () => {
      const outputs = await node.poll.call(context as unknown as PollContext);
      return outputs?.[0]?.map(({ json }) => json) ?? null;
    },
  };
}

/** The service behind an address where a search does not say how far meetings are. */
function hideStates(url: string): Promise<string> {
  return serve((request, response) => {
    const headers = { 'x-api-key': String(request.headers['x-api-key']) };
    void fetch(url + request.url, { headers }).then(async (answer) => {
      response.writeHead(200, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end((await answer.text()).replaceAll(/"status":"\w+",/g, ''));
    });
  });
}

describe('the polling trigger', () => {
  it('emits nothing that was there before, each meeting once when it is ready, and one that failed before that too', async () => {
    const { sandbox, url, record } = await openService();
    sandbox.seed({ meetings: 120, days: 3, languages: ['en'] });
    const poller = openPoller({ url });
    expect(await poller.poll()).toBeNull();
    const id = await record('Retro');
    expect(await poller.poll()).toBeNull();
    sandbox.completeMeeting(id);
    expect(await poller.poll()).toEqual([
      {
        event: 'meeting.completed',
        meeting_id: id,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        title: 'Retro',
        is_transcript_empty: null,
        report_url: `${url}/api/video/report?meeting_id=${id}`,
        reason: null,
        delivery_id: null,
        delivery_key: null,
        data: expect.objectContaining({ id, name: 'Retro', source: 'zoom' }),
      },
    ]);
    expect(await poller.poll()).toBeNull();
    expect(await openPoller({ url, staticData: structuredClone(poller.staticData) }).poll()).toBeNull();
    const searched = poller.requests.filter((request) => request.url.includes('/search'));
    // 120 meetings and one more: three pages, four times, at most fifty a page.
    expect(searched).toHaveLength(3 * 4);
    const failing = await record('Broken');
    sandbox.failMeeting(failing);
    expect(await poller.poll()).toMatchObject([{ event: 'meeting.failed', meeting_id: failing }]);
    sandbox.completeMeeting(failing);
    expect(await poller.poll()).toMatchObject([{ event: 'meeting.completed', meeting_id: failing }]);
  });

  it('loses and doubles nothing when n8n stops before it saved what was found since', async () => {
    const { sandbox, url, record } = await openService();
    const poller = openPoller({ url });
    await poller.poll();
    const saved = structuredClone(poller.staticData);
    const id = await record('Retro');
    await poller.poll();
    sandbox.completeMeeting(id);
    expect(await openPoller({ url, staticData: saved }).poll()).toMatchObject([{ meeting_id: id }]);
  });

  it('does not emit what began longer ago than it looks back', async () => {
    const { sandbox, url, record } = await openService();
    const poller = openPoller({ url, parameters: { 'options.lookBackDays': 1 } });
    await poller.poll();
    const old = await record('Old', new Date(Date.now() - 2 * 86_400_000).toISOString());
    sandbox.completeMeeting(old);
    expect(await poller.poll()).toBeNull();
  });

  it('fetches the report where that is wanted, and filters by it', async () => {
    const { sandbox, url, record } = await openService();
    const parameters = {
      events: ['meeting.completed'],
      fetchReport: true,
      filters: { emptyTranscript: 'skip', title: 'retro', sources: 'zoom' },
    };
    const poller = openPoller({ url, parameters });
    await poller.poll();
    const finished = await Promise.all(
      ['Retro', 'Retro, nothing said', 'Daily'].map((title) => record(title)),
    );
    finished.forEach((id, index) =>
      sandbox.completeMeeting(id, index === 1 ? { isTranscriptEmpty: true } : {}),
    );
    sandbox.failMeeting(await record('Retro that failed'));
    const items = await poller.poll();
    expect(items).toMatchObject([
      { meeting_id: finished[0], is_transcript_empty: false, report: { ready: true } },
    ]);
    expect(await poller.poll()).toBeNull();
  });

  it('gives the newest meeting as an example in a test run, and keeps nothing', async () => {
    const { sandbox, url } = await openService();
    sandbox.seed({ meetings: 3, days: 3, languages: ['en'] });
    const poller = openPoller({ url, mode: 'manual' });
    expect(await poller.poll()).toHaveLength(1);
    expect(await poller.poll()).toHaveLength(1);
    expect(poller.staticData).toEqual({});
  });

  it('says what is wrong, and keeps what it had', async () => {
    const { sandbox, url } = await openService();
    const poller = openPoller({ url });
    sandbox.changeKey('another_key');
    await expect(poller.poll()).rejects.toThrow();
    expect(poller.staticData).toEqual({});
    const wrong = openPoller({ url, parameters: { filters: { emptyTranscript: 'only' } } });
    await expect(wrong.poll()).rejects.toThrow('The filter Empty Transcript needs Fetch the Report at Once');
  });

  it('asks for the state where the search does not tell it', async () => {
    const { sandbox, url, record } = await openService();
    const id = await record('Retro');
    const poller = openPoller({ url: await hideStates(url) });
    expect(await poller.poll()).toBeNull();
    sandbox.completeMeeting(id);
    expect(await poller.poll()).toMatchObject([{ meeting_id: id }]);
    expect(await poller.poll()).toBeNull();
    expect(poller.requests.filter((request) => request.url.includes('/status'))).toHaveLength(2);
  });
});

describe('whatever happens between polls', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('add' as const) }),
    fc.record({ do: fc.constantFrom('finish' as const, 'fail' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('poll' as const), faults: fc.array(fc.boolean(), { maxLength: 12 }) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.nat(3_600_000) }),
  );

  it('each meeting that becomes ready or fails is emitted exactly once as that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        let faults: boolean[] = [];
        const model = openPollModel(() => faults.shift() ?? false);
        await model.poll();
        const emitted: string[] = [];
        for (const taken of steps) {
          if (taken.do === 'add') model.add(`m${model.meetings.size}`);
          if (taken.do === 'wait') model.pass(taken.ms);
          if (taken.do === 'poll') {
            faults = [...taken.faults];
            emitted.push(...(await model.poll().catch(() => [])));
            faults = [];
          }
          if (taken.do === 'finish' || taken.do === 'fail') {
            const id = `m${taken.which % Math.max(1, model.meetings.size)}`;
            const isOver = model.meetings.get(id)?.phase !== 'processing';
            if (!isOver) model.end(id, taken.do === 'finish' ? 'ready' : 'failed');
          }
        }
        emitted.push(...(await model.poll()));
        const events = { ready: '"meeting.completed"', failed: '"meeting.failed"' };
        const over = [...model.meetings].flatMap(([id, { phase }]) =>
          phase === 'ready' || phase === 'failed' ? [`${events[phase]} ${id}`] : [],
        );
        expect(emitted.toSorted()).toEqual(over.toSorted());
        expect(await model.poll()).toEqual([]);
      }),
    );
  });

  it('asks for so many states at a time, and comes to each meeting', async () => {
    const model = openPollModel();
    await model.poll();
    for (let index = 0; index < 3 * MAX_STATUS_REQUESTS; index += 1) model.add(`m${index}`);
    const before = model.asked();
    await model.poll();
    expect(model.asked() - before).toBe(MAX_STATUS_REQUESTS);
    // All but the newest are ready; two further polls have asked each one once.
    for (let index = 0; index < 3 * MAX_STATUS_REQUESTS - 1; index += 1) model.end(`m${index}`);
    for (let poll = 0; poll < 4; poll += 1) await model.poll();
    expect(new Set(model.emitted).size).toBe(3 * MAX_STATUS_REQUESTS - 1);
    expect(model.emitted).toHaveLength(3 * MAX_STATUS_REQUESTS - 1);
  });

  it('two polls at once emit a meeting once', async () => {
    const model = openPollModel();
    await model.poll();
    model.add('m1', 'ready');
    expect((await Promise.all([model.poll(), model.poll()])).flat()).toEqual(['"meeting.completed" m1']);
  });

  it('what is kept is bounded, and what was given up is not emitted', async () => {
    const model = openPollModel();
    for (let index = 0; index < mostSettled + 30; index += 1) {
      model.add(`m${index}`, 'ready');
      model.pass(1000);
    }
    expect(await model.poll()).toEqual([]);
    expect(readPollState(model.kept())?.settled.size).toBe(mostSettled);
    expect(await model.poll()).toEqual([]);
    model.pass(92 * 86_400_000);
    model.meetings.clear();
    await model.poll();
    expect(readPollState(model.kept())?.settled.size).toBe(0);
  });

  it.each([undefined, null, 7, 'no JSON', '[]', '{"sinceMs":"x"}', '{}'])('%j is nothing kept', (kept) => {
    expect(readPollState(kept)).toBeUndefined();
  });
});
