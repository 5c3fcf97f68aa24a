import type { StepLabel, WorkerStep } from '@aftermeet/recipes';
import type { SandboxStep } from '@aftermeet/sandbox';

import type { Paint } from '../terminal/paint.ts';

export interface Stop {
  readonly name: 'recorded' | 'completed' | 'delivered' | 'fetched' | StepLabel['destination'];
  readonly detail: string;
}

/** The destinations a sample meeting must reach. */
export const destinations = ['slack', 'notion', 'email'] as const;

/** What a step of the sandbox or the worker means on the way of one meeting; undefined when nothing. */
export function readStop(step: SandboxStep | WorkerStep): Stop | undefined {
  switch (step.kind) {
    case 'meeting_recorded':
      return { name: 'recorded', detail: `meeting ${step.meetingId}` };
    case 'meeting_completed':
      return { name: 'completed', detail: 'the service has finished the report' };
    case 'delivery_attempted':
      return step.status === 200
        ? {
            name: 'delivered',
            detail: `signed delivery, verified and stored, answered 200 in ${Math.round(step.elapsedMs)} ms`,
          }
        : undefined;
    case 'report_fetched':
      return { name: 'fetched', detail: `report fetched in ${Math.round(step.elapsedMs)} ms` };
    case 'effect_sent':
      return { name: step.destination, detail: step.reference };
    case 'meeting_failed':
    case 'report_served':
    case 'effect_waiting':
    case 'effect_skipped':
    case 'effect_probed':
    case 'effect_failed':
      return undefined;
    default:
      return step satisfies never;
  }
}

/** Why a meeting may not arrive, in the words of the step that held it up; undefined when it did not. */
export function readCause(step: SandboxStep | WorkerStep): string | undefined {
  if (step.kind === 'effect_failed' || step.kind === 'effect_waiting')
    return `${step.destination}: ${step.cause}`;
  if (step.kind !== 'delivery_attempted' || step.status === 200) return undefined;
  return `the delivery was not accepted: ${step.error ?? `the receiver answered ${step.status}`}`;
}

/** One line of the journey. */
export function formatStop(stop: Stop, elapsedMs: number, paint: Paint): string {
  const time = `${(elapsedMs / 1000).toFixed(2)} s`.padStart(8);
  return `  ${paint.good('✓')} ${stop.name.padEnd(9)} ${paint.dim(time)}  ${stop.detail}\n`;
}
