import type { Client } from '@aftermeet/client';
import type { WorkerStep } from '@aftermeet/recipes';
import type { SandboxStep } from '@aftermeet/sandbox';

import type { Paint } from '../terminal/format.ts';

interface Stop {
  /** `recorded`, `completed`, `delivered`, `fetched`, or the name of a destination. */
  readonly name: string;
  readonly detail: string;
}

/** The destinations that a sample meeting must reach. */
const destinations = ['slack', 'notion', 'email'] as const;

export interface SampleMeeting {
  /** Takes every step of the stack. */
  readonly observe: (step: SandboxStep | WorkerStep) => void;
  /** Records a meeting, completes it, and resolves when it has reached all destinations or the time is up. */
  readonly run: (stack: SampleStack) => Promise<SampleResult>;
}

/** What a sample meeting needs of the stack. */
interface SampleStack {
  readonly client: Client;
  readonly sandboxUrl: string;
  readonly hook: { readonly url: string; readonly secret: string };
}

export type SampleResult =
  | { readonly ok: true; readonly meetingId: string; readonly elapsedMs: number }
  | { readonly ok: false; readonly missing: readonly string[]; readonly causes: readonly string[] };

interface SampleOptions {
  readonly paint: Paint;
  readonly write: (text: string) => void;
  readonly timeoutMs: number;
}

/** Runs one sample meeting through the stack and prints each stop when it is reached. */
export function createSampleMeeting({ paint, write, timeoutMs }: SampleOptions): SampleMeeting {
  const reached = new Map<Stop['name'], Stop>();
  const causes = new Set<string>();
  const startedMs = performance.now();
  let settle: ((arrived: boolean) => void) | undefined;
  const arrival = new Promise<boolean>((resolve) => {
    settle = resolve;
  });

  return {
    observe(step) {
      const cause = findCause(step);
      if (cause !== undefined) causes.add(cause);
      const stop = toStop(step);
      if (stop === undefined || reached.has(stop.name)) return;
      reached.set(stop.name, stop);
      write(formatStop(stop, performance.now() - startedMs, paint));
      if (destinations.every((name) => reached.has(name))) settle?.(true);
    },
    async run({ client, sandboxUrl, hook }) {
      const { meetingId } = await client.recordings.start({
        link: `https://meet.example.com/sample-${Date.now()}`,
        source: 'gmeet',
        templateName: 'team-sync',
        webhookUrl: hook.url,
        webhookSecret: hook.secret,
      });
      const url = `${sandboxUrl}/_sandbox/meetings/${meetingId}/complete`;
      const completed = await fetch(url, { method: 'POST' });
      if (!completed.ok) {
        throw new Error(`the sandbox could not complete the meeting: it answered ${completed.status}`);
      }
      // Must not delay a stop.
      const timeout = setTimeout(() => settle?.(false), timeoutMs).unref();
      const arrived = await arrival;
      clearTimeout(timeout);
      if (arrived) return { ok: true, meetingId, elapsedMs: Math.round(performance.now() - startedMs) };
      return { ok: false, missing: destinations.filter((name) => !reached.has(name)), causes: [...causes] };
    },
  };
}

/** The stop that a step of the sandbox or the worker reaches; undefined if none. */
function toStop(step: SandboxStep | WorkerStep): Stop | undefined {
  switch (step.kind) {
    case 'meeting_recorded':
      return { name: 'recorded', detail: `meeting ${step.meetingId}` };
    case 'meeting_completed':
      return { name: 'completed', detail: 'the service has finished the report' };
    case 'delivery_attempted': {
      if (step.status !== 200) return undefined;
      const elapsed = `${Math.round(step.elapsedMs)} ms`;
      return {
        name: 'delivered',
        detail: `signed delivery, verified and stored, answered 200 in ${elapsed}`,
      };
    }
    case 'report_fetched':
      return { name: 'fetched', detail: `report fetched in ${Math.round(step.elapsedMs)} ms` };
    case 'effect_sent':
      return { name: step.destination, detail: step.reference };
    case 'meeting_failed':
    case 'report_served':
    case 'effect_waiting':
    case 'effect_skipped':
    case 'effect_held':
    case 'effect_probed':
    case 'effect_failed':
    case 'circuit_changed':
      return undefined;
    default:
      return step satisfies never;
  }
}

/** Why a meeting may not arrive; undefined for a step without a fault. */
function findCause(step: SandboxStep | WorkerStep): string | undefined {
  if (step.kind === 'effect_failed' || step.kind === 'effect_waiting')
    return `${step.destination}: ${step.cause}`;
  if (step.kind !== 'delivery_attempted' || step.status === 200) return undefined;
  return `the delivery was not accepted: ${step.error ?? `the receiver answered ${step.status}`}`;
}

function formatStop(stop: Stop, elapsedMs: number, paint: Paint): string {
  const time = `${(elapsedMs / 1000).toFixed(2)} s`.padStart(8);
  return `  ${paint.good('✓')} ${stop.name.padEnd(9)} ${paint.dim(time)}  ${stop.detail}\n`;
}
