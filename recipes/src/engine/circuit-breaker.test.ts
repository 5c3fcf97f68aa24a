import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { limitConcurrency, createCircuit, withCircuitBreaker } from './circuit-breaker.ts';
import type { Connectors } from './destination.ts';
import type { NotSent, ProbeResult, SendResult, UpdateResult, Rendered } from './prepared-send.ts';

const rendered: Rendered = { destination: 'email', message: { subject: 's', text: 't', html: 'h' } };

const label = { effectKey: 'k', target: 'ann@example.com' };

interface Answers {
  readonly prepare?: NotSent;
  readonly send?: SendResult;
  readonly probe?: ProbeResult;
  readonly update?: UpdateResult;
  readonly finish?: UpdateResult;
  readonly sendsChangesAsNew?: true;
}

function watch(answers: Answers) {
  const heard: string[] = [];
  const connectors: Connectors = {
    prepare: async () =>
      answers.prepare ?? {
        result: 'ready',
        prepared: {
          timeoutMs: 1,
          send: async () => answers.send ?? { result: 'sent', reference: 'r' },
          probe: async () => answers.probe ?? { result: 'absent' },
          ...(answers.sendsChangesAsNew && { sendsChangesAsNew: true }),
          ...(answers.finish && { finish: async () => answers.finish ?? { result: 'gone', cause: '' } }),
          ...(answers.update === undefined
            ? {}
            : { update: async () => answers.update ?? { result: 'gone', cause: '' } }),
        },
      },
    close: async () => {},
  };
  const watched = withCircuitBreaker(connectors, () => ({
    answered: () => void heard.push('answered'),
    stayedSilent: () => void heard.push('silent'),
    refused: async (cause) => void heard.push(`refused: ${cause}`),
  }));
  return { heard, watched };
}

describe('withCircuitBreaker', () => {
  it.each<[string, Answers]>([
    ['silent', { prepare: { result: 'not_sent_retry', cause: 'refused' } }],
    ['answered', { prepare: { result: 'permanent', cause: 'no such data source' } }],
    ['nothing', { prepare: { result: 'permanent', cause: 'no address', contact: 'none' } }],
    ['answered', { send: { result: 'sent', reference: 'r' } }],
    ['answered', { send: { result: 'permanent', cause: 'c' } }],
    ['answered', { send: { result: 'rate_limited', cause: 'c', retryAfterMs: 1 } }],
    ['answered', { send: { result: 'not_sent_retry', cause: 'greylisted', contact: 'answered' } }],
    ['answered', { send: { result: 'unknown', cause: 'names no message', contact: 'answered' } }],
    ['silent', { send: { result: 'not_sent_retry', cause: 'refused' } }],
    ['silent', { send: { result: 'unknown', cause: 'cut off' } }],
    ['answered', { probe: { result: 'absent' } }],
    ['answered', { probe: { result: 'rate_limited', cause: 'c', retryAfterMs: 1 } }],
    ['answered', { probe: { result: 'not_asked', cause: 'too many pages', contact: 'answered' } }],
    ['silent', { probe: { result: 'not_asked', cause: 'c' } }],
    ['nothing', { probe: { result: 'untraceable' } }],
    ['nothing', { probe: { result: 'found', reference: 'r', contact: 'none' } }],
    ['answered', { update: { result: 'gone', cause: 'c' } }],
    ['silent', { finish: { result: 'unknown', cause: 'cut off' } }],
  ])('hears %s of what ends as %o', async (expected, answers) => {
    const { heard, watched } = watch(answers);
    const preparation = await watched.prepare(rendered, label);
    if (preparation.result === 'ready') {
      const { prepared } = preparation;
      if (answers.send) expect(await prepared.send()).toEqual(answers.send);
      if (answers.probe) expect(await prepared.probe(0)).toEqual(answers.probe);
      if (answers.update) expect(await prepared.update?.('r')).toEqual(answers.update);
      if (answers.finish) expect(await prepared.finish?.('p')).toEqual(answers.finish);
    } else expect(preparation).toEqual(answers.prepare);
    expect(heard).toEqual(expected === 'nothing' ? [] : [expected]);
  });

  it('keeps what is sent anew in place of a change', async () => {
    const preparation = await watch({ sendsChangesAsNew: true }).watched.prepare(rendered, label);
    expect(preparation).toMatchObject({ prepared: { sendsChangesAsNew: true } });
  });

  it('adds no way to change what cannot be changed', async () => {
    const preparation = await watch({}).watched.prepare(rendered, label);
    expect(preparation.result === 'ready' && 'update' in preparation.prepared).toBe(false);
  });
});

const policy = { failures: 3, firstOpenMs: 10_000, maxOpenMs: 60_000 };

/** The longest that chance can make it. */
const longest = () => 1;

function failTimes(circuit: ReturnType<typeof createCircuit>, times: number, nowMs: number): void {
  for (let time = 0; time < times; time++) circuit.failed(circuit.begin(nowMs), nowMs);
}

describe('createCircuit', () => {
  it('opens after so many failures in a row, not after as many with an answer in between', () => {
    const circuit = createCircuit(policy, longest);
    failTimes(circuit, 2, 0);
    circuit.succeeded(circuit.begin(0));
    failTimes(circuit, 2, 0);
    expect(circuit.readState(0)).toEqual({ kind: 'closed' });
    failTimes(circuit, 1, 500);
    expect(circuit.readState(500)).toEqual({ kind: 'open', forMs: 10_000 });
    expect(circuit.readState(10_499)).toEqual({ kind: 'open', forMs: 1 });
    expect(circuit.readState(10_500)).toEqual({ kind: 'half_open' });
  });

  it('opens for twice as long each time a try fails, up to the longest, and begins anew once one was answered', () => {
    const circuit = createCircuit(policy, longest);
    failTimes(circuit, 3, 0);
    let nowMs = 0;
    const lengths: number[] = [];
    for (let time = 0; time < 5; time++) {
      const state = circuit.readState(nowMs);
      if (state.kind !== 'open') throw new Error('it should be open');
      lengths.push(state.forMs);
      nowMs += state.forMs;
      failTimes(circuit, 1, nowMs);
    }
    expect(lengths).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
    nowMs += 60_000;
    circuit.succeeded(circuit.begin(nowMs));
    expect(circuit.readState(nowMs)).toEqual({ kind: 'closed' });
    failTimes(circuit, 3, nowMs);
    expect(circuit.readState(nowMs)).toEqual({ kind: 'open', forMs: 10_000 });
  });

  it('leaves the last half of the time to chance', () => {
    const circuit = createCircuit(policy, () => 0);
    failTimes(circuit, 3, 0);
    expect(circuit.readState(0)).toEqual({ kind: 'open', forMs: 5000 });
  });

  it('hears nothing in what was under way when it opened', () => {
    const circuit = createCircuit(policy, longest);
    const [early, late] = [circuit.begin(0), circuit.begin(0)];
    failTimes(circuit, 3, 0);
    circuit.succeeded(early);
    expect(circuit.readState(0)).toEqual({ kind: 'open', forMs: 10_000 });
    circuit.failed(late, 9000);
    expect(circuit.readState(9000)).toEqual({ kind: 'open', forMs: 1000 });
    const attempt = circuit.begin(10_000);
    circuit.failed(late, 10_000);
    expect(circuit.readState(10_000)).toEqual({ kind: 'half_open' });
    circuit.succeeded(attempt);
    expect(circuit.readState(10_000)).toEqual({ kind: 'closed' });
    for (let time = 0; time < 9; time++) circuit.failed(late, 10_000);
    expect(circuit.readState(10_000)).toEqual({ kind: 'closed' });
  });

  it('is not kept open by calls that begin while it is open', () => {
    const circuit = createCircuit(policy, longest);
    failTimes(circuit, 3, 0);
    failTimes(circuit, 6, 100);
    const begun = [circuit.begin(200), circuit.begin(300)] as const;
    circuit.succeeded(begun[0]);
    expect(circuit.readState(400)).toEqual({ kind: 'open', forMs: 9600 });
    circuit.failed(begun[1], 10_000);
    expect(circuit.readState(10_000)).toEqual({ kind: 'half_open' });
    failTimes(circuit, 1, 10_000);
    expect(circuit.readState(10_000)).toEqual({ kind: 'open', forMs: 20_000 });
  });

  it('says how many jobs may be taken', () => {
    expect(limitConcurrency({ kind: 'closed' }, 16)).toBe(16);
    expect(limitConcurrency({ kind: 'half_open' }, 16)).toBe(1);
    expect(limitConcurrency({ kind: 'open', forMs: 1 }, 16)).toBe(0);
  });

  it('is never open for longer than the longest, and closes on the first answer to a try', () => {
    const step = fc.record({ passedMs: fc.integer({ min: 0, max: 70_000 }), isAnswered: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), fc.double({ min: 0, max: 1, noNaN: true }), (steps, chance) => {
        const circuit = createCircuit(policy, () => chance);
        let nowMs = 0;
        for (const { passedMs, isAnswered } of steps) {
          nowMs += passedMs;
          const before = circuit.readState(nowMs);
          if (before.kind === 'open') {
            expect(before.forMs).toBeLessThanOrEqual(60_000);
            continue;
          }
          const call = circuit.begin(nowMs);
          if (isAnswered) circuit.succeeded(call);
          else circuit.failed(call, nowMs);
          const { kind } = circuit.readState(nowMs);
          if (isAnswered) expect(kind).toBe('closed');
          else if (before.kind === 'half_open') expect(kind).toBe('open');
        }
      }),
    );
  });
});
