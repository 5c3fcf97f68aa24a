import { z } from 'zod';

/** Every state that an effect can be in. */
export const effectStates = ['pending', 'sending', 'unknown', 'sent', 'skipped', 'failed', 'parked'] as const;

export type EffectState = (typeof effectStates)[number];

export const effectStateSchema = z.enum(effectStates);

export const noCounts: Readonly<Record<EffectState, number>> = {
  pending: 0,
  sending: 0,
  unknown: 0,
  sent: 0,
  skipped: 0,
  failed: 0,
  parked: 0,
};
