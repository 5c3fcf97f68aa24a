import { expect, it } from 'vitest';

import type { AlertGate } from './alert-gate.ts';
import { bindRecipes } from './bind-recipes.ts';
import { composeEffect, type ComposingTools } from './compose-effect.ts';

it('asks the gate of alerts for each recipe whose effect has failed', async () => {
  const [alert] = bindRecipes([{ name: 'alert', use: 'slack-alert', when: {}, with: {} }], {
    slack: { token: 'xoxb-1', channel: 'C0123456789' },
  });
  if (alert === undefined) throw new Error('there is no recipe');
  const asked: unknown[] = [];
  const alertGate: AlertGate = {
    admit: async (question) => {
      asked.push(question);
      return { kind: 'suppressed', sinceMs: 0 };
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an alert needs nothing else
  const tools = { alertGate, clock: () => 0 } as unknown as ComposingTools;
  const event = { kind: 'effect.failed', meetingId: 'm_1', occurrence: '', endpoint: '', receivedAt: '' };
  const label = { recipe: 'alert', destination: 'slack', target: 'C0123456789' } as const;
  const data = { ...label, effectKey: 'k1', part: 0, traceId: 't' };
  for (const about of [{ recipe: 'recap' }, {}]) {
    const composed = await composeEffect({ data: { ...data, event: { ...event, ...about } } }, alert, tools);
    expect(composed).toEqual({
      kind: 'skipped',
      cause: 'an alert of this kind was sent at 1970-01-01T00:00:00.000Z; the next one counts this one',
    });
  }
  const target = 'C0123456789';
  const question = {
    recipe: 'alert',
    eventKind: 'effect.failed',
    target,
    effectKey: 'k1',
    cooldownMs: 600_000,
  };
  expect(asked).toEqual([{ ...question, about: 'recap' }, question]);
});
