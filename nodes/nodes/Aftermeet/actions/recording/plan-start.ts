import { ServiceError } from '@aftermeet/client/pure';
import { latestStartMs, limits } from '@aftermeet/contract/pure';

import { describeOperation } from '../../transport/send-operation.ts';
import type { WireFields } from '../../wire/build-wire-request.ts';
import { wireOperations } from '../../wire/wire-operations.ts';
import { placeInTime } from '../place-in-time.ts';

export interface StartFrame {
  /** The parameter When. */
  readonly when: unknown;
  /** IANA name, of the workflow. */
  readonly timeZone: string;
  readonly nowMs: number;
}

/**
 * The fields of a start with those of its time alone that its When asks for; what was typed for another choice stays out. Throws
 * `bad_request` for one without its time, which would send the bot at once, and for one that is too far ahead (specification,
 * "Limits"). Pure.
 */
export function planStart(fields: WireFields, { when, timeZone, nowMs }: StartFrame): WireFields {
  const { local_date_time: given, cron, ...rest } = fields;
  if (when === 'now') return rest;
  if (when === 'recurring') return { ...rest, cron: insist(cron, 'cron') };
  if (when !== 'at') throw refuse('When must be now, at or recurring');
  const start = placeInTime(insist(given, 'local_date_time'), timeZone);
  const latestMs = latestStartMs(nowMs);
  if (typeof start === 'string' && Date.parse(start) > latestMs) {
    const latest = new Date(latestMs).toISOString();
    throw refuse(
      `local_date_time must be at most ${limits.schedulingHorizonMonths} months ahead: ${latest} at the latest`,
    );
  }
  return { ...rest, local_date_time: start };
}

function insist(value: unknown, name: string): unknown {
  if (value === undefined) throw refuse(`${name} is missing`);
  return value;
}

function refuse(detail: string): ServiceError {
  const doing = describeOperation(wireOperations['recordings.start']);
  return new ServiceError({ code: 'bad_request', doing, detail, unsent: true });
}
