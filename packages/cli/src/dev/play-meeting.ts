import type { WorkerStep } from '@aftermeet/recipes';
import type { SandboxStep } from '@aftermeet/sandbox';

import type { Paint } from '../terminal/paint.ts';
import { destinations, formatStop, readCause, readStop, type Stop } from './journey.ts';
import type { House } from './start-house.ts';

export interface MeetingPlay {
  /** Told of every step in the house; takes those of its own meeting. */
  observe(step: SandboxStep | WorkerStep): void;
  /** Records a meeting, lets it end, and resolves when it has arrived everywhere or time is up. */
  play(house: House): Promise<PlayResult>;
}

export type PlayResult =
  | { readonly ok: true; readonly meetingId: string; readonly elapsedMs: number }
  | { readonly ok: false; readonly missing: readonly string[]; readonly causes: readonly string[] };

export interface PlayOptions {
  readonly paint: Paint;
  readonly write: (text: string) => void;
  /** How long a meeting may take to arrive everywhere. */
  readonly patienceMs: number;
}

/** Plays one sample meeting through the whole house and shows each stop of its way as it is reached. */
export function createMeetingPlay({ paint, write, patienceMs }: PlayOptions): MeetingPlay {
  const reached = new Map<Stop['name'], Stop>();
  const causes = new Set<string>();
  const startedMs = performance.now();
  let settle: ((arrived: boolean) => void) | undefined;
  const arrival = new Promise<boolean>((resolve) => {
    settle = resolve;
  });

  return {
    observe(step) {
      const cause = readCause(step);
      if (cause !== undefined) causes.add(cause);
      const stop = readStop(step);
      if (stop === undefined || reached.has(stop.name)) return;
      reached.set(stop.name, stop);
      write(formatStop(stop, performance.now() - startedMs, paint));
      if (destinations.every((name) => reached.has(name))) settle?.(true);
    },
    async play(house) {
      const { meetingId } = await house.client.recordings.start({
        link: `https://meet.example.com/sample-${Date.now()}`,
        source: 'gmeet',
        title: 'Weekly product sync',
        template_name: 'team-sync',
        webhook_url: house.hook.url,
        webhook_secret: house.hook.secret,
      });
      const completed = await fetch(`${house.sandboxUrl}/_sandbox/meetings/${meetingId}/complete`, {
        method: 'POST',
      });
      if (!completed.ok)
        throw new Error(`the sandbox could not complete the meeting: it answered ${completed.status}`);
      const patience = setTimeout(() => settle?.(false), patienceMs);
      // Whoever is asked to stop meanwhile does not wait for it.
      patience.unref();
      const arrived = await arrival;
      clearTimeout(patience);
      if (arrived) return { ok: true, meetingId, elapsedMs: Math.round(performance.now() - startedMs) };
      return { ok: false, missing: destinations.filter((name) => !reached.has(name)), causes: [...causes] };
    },
  };
}
