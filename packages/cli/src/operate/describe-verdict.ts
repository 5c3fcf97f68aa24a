import type { EffectVerdict, JudgedEffect } from '@aftermeet/recipes';

/** Where an effect stands. */
const standings: Readonly<Record<EffectVerdict, string>> = {
  sent: 'sent',
  skipped: 'nothing to send',
  spread: 'planned others',
  under_way: 'under way',
  waiting: 'waiting',
  parked: 'parked',
  ended: 'ended, and forgotten',
  failed: 'failed',
  stranded: 'stopped',
  new: 'never queued',
};

/** What a replay does with it. */
const deeds: Readonly<Record<EffectVerdict, string>> = {
  sent: 'sent already',
  skipped: 'nothing to send',
  spread: 'planned others',
  under_way: 'under way',
  waiting: 'waiting',
  parked: 'parked: settle it',
  ended: 'ended, and forgotten',
  failed: 'failed → tried again',
  stranded: 'stopped → tried again',
  new: 'new → queued',
};

export function describeStanding(verdict: EffectVerdict): string {
  return standings[verdict];
}

export function describeDeed(verdict: EffectVerdict): string {
  return deeds[verdict];
}

/** `2 sent, 1 failed`; the order is that of the effects. */
export function countVerdicts(
  effects: readonly Pick<JudgedEffect, 'verdict'>[],
  describe: (verdict: EffectVerdict) => string,
): string {
  const counts = new Map<string, number>();
  for (const { verdict } of effects) {
    const word = describe(verdict);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}
