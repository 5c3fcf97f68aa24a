import type { Log } from '@aftermeet/queue';
import type { Endpoints, MeterReading, ReloadResult } from '@aftermeet/receiver';

import type { ReceiverSettings } from '../open-receiver.ts';
import { addCounts, keepCounts } from './add-counts.ts';
import { createMember, type Member, type StartChild } from './member.ts';
import { openPromise } from './open-promise.ts';
import { createRestartPolicy } from './restart-policy.ts';

export interface FleetOptions {
  readonly count: number;
  readonly settings: ReceiverSettings;
  readonly startChild: StartChild;
  /** What a process wants that was asked to reload. */
  readonly reload: () => Promise<ReloadResult>;
  readonly log: Log;
  readonly nowMs: () => number;
  /** What does not stop by itself within this time is killed. */
  readonly killAfterMs: number;
}

/** Where a receiver listens and keeps. */
interface Whereabouts {
  readonly url: string;
  readonly queue: string;
}

/** The processes of one receiver. */
export interface Fleet {
  /** Resolves when all are up; rejects with what keeps the first of them from it. */
  readonly up: Promise<Whereabouts>;
  /** Rejects when none is left and none can be started. Never resolves. */
  readonly lost: Promise<never>;
  /** Gives these to all, also to those to come; resolves when those that are there said so, or were silent too long. */
  replace(endpoints: Endpoints): Promise<void>;
  /** Lets all stop in good order, and resolves when they are gone. */
  close(): Promise<void>;
  killAll(): void;
}

/** Starts the processes, and another one for each that ends before it is told to. */
export function createFleet(options: FleetOptions): Fleet {
  const { count, startChild, reload, log, nowMs } = options;
  let { settings } = options;
  let whereabouts: Whereabouts | undefined;
  let gone: MeterReading | undefined;
  let isClosing = false;
  let hasBeenUp = false;
  const members = new Set<Member>();
  const pauses = new Set<NodeJS.Timeout>();
  const policy = createRestartPolicy(nowMs);
  const up = openPromise<Whereabouts>();
  const lost = openPromise<never>();
  const closed = openPromise<void>();

  const isAnyUp = (): boolean => [...members].some((member) => member.isUp());

  function launch(): void {
    // A free port was found once. While somebody listens there, node:cluster gives it to whoever asks for any.
    if (members.size === 0 && whereabouts !== undefined) {
      settings = { ...settings, port: Number(new URL(whereabouts.url).port) };
    }
    const startedMs = nowMs();
    const member = createMember(startChild, {
      getSettings: () => settings,
      onUp: (where) => {
        whereabouts ??= where;
        policy.noteUp();
        hasBeenUp ||= [...members].filter((each) => each.isUp()).length === count;
        if (hasBeenUp) up.resolve(whereabouts);
      },
      onExit: (how) => {
        members.delete(member);
        gone = keepCounts(gone, member.lastReading());
        if (isClosing) {
          if (members.size === 0) closed.resolve();
        } else {
          takePlace(member, how, startedMs);
        }
      },
      reload,
      listReadings,
    });
    members.add(member);
  }

  /** What is to be done about a process that ended without being told to. */
  function takePlace(member: Member, how: string, startedMs: number): void {
    const error = new Error(member.failure() ?? `A process of the receiver ended with ${how}.`);
    if (!hasBeenUp) {
      up.reject(error);
      return;
    }
    const pauseMs = policy.pauseAfter({ startedMs, wasUp: member.isUp() });
    if (pauseMs === undefined && !isAnyUp()) {
      lost.reject(error);
      return;
    }
    const restartInMs = pauseMs ?? policy.longestPauseMs;
    log.error(
      { ended: how, cause: member.failure(), restartInMs },
      'a process ended: another takes its place',
    );
    const pause = setTimeout(() => {
      pauses.delete(pause);
      launch();
    }, restartInMs);
    pauses.add(pause);
  }

  async function listReadings(): Promise<readonly MeterReading[]> {
    const asked = [...members].filter((member) => member.isUp());
    await Promise.all(asked.map((member) => member.read()));
    // One that ended meanwhile is counted among the gone.
    const readings = asked
      .filter((member) => members.has(member))
      .map((member) => member.lastReading())
      .filter((reading) => reading !== undefined);
    const [first = gone, ...rest] = readings;
    if (first === undefined) return [];
    return [gone === undefined || first === gone ? first : addCounts(first, gone), ...rest];
  }

  const killAll = (): void => {
    for (const member of members) member.kill();
  };

  for (let started = 0; started < count; started += 1) launch();
  return {
    up: up.promise,
    lost: lost.promise,
    replace: async (endpoints) => {
      settings = { ...settings, endpoints };
      const heard = await Promise.all([...members].map((member) => member.replace(endpoints)));
      const silent = heard.filter((each) => each === undefined).length;
      if (silent > 0) log.warn({ silent }, 'not every process said that it has the new endpoints');
    },
    close: async () => {
      isClosing = true;
      for (const pause of pauses) clearTimeout(pause);
      for (const member of members) member.stop();
      const kill = setTimeout(killAll, options.killAfterMs);
      if (members.size === 0) closed.resolve();
      await closed.promise;
      clearTimeout(kill);
    },
    killAll,
  };
}
