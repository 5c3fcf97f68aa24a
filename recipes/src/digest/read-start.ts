import type { Report } from '@aftermeet/client';

import type { Digest } from '../digest.ts';

type Start = Pick<Digest, 'startedAt' | 'startedLocal' | 'utcOffset'>;

/** When a meeting began, and what its own clocks showed where their offset is known. */
export function readStart({ startedAt, utcOffset }: Pick<Report, 'startedAt' | 'utcOffset'>): Start {
  const ms = startedAt === undefined ? NaN : Date.parse(startedAt);
  if (startedAt === undefined || Number.isNaN(ms)) return {};
  const iso = new Date(ms).toISOString();
  const parts = /^([+-])([01]\d):([0-5]\d)$/.exec(utcOffset ?? '');
  if (utcOffset === undefined || parts === null) return { startedAt: iso };
  const offsetMs = (Number(parts[2]) * 60 + Number(parts[3])) * 60_000 * (parts[1] === '-' ? -1 : 1);
  const local = new Date(ms + offsetMs);
  if (Number.isNaN(local.getTime())) return { startedAt: iso };
  return { startedAt: iso, startedLocal: local.toISOString().slice(0, 16).replace('T', ' '), utcOffset };
}
