import { type Backend, createGroupedWriter, type Log, withDeadline } from '@aftermeet/queue';

import { type AlertGate, createAlertGate } from '../alert-gate.ts';
import type { Cells } from './cells.ts';
import { createClockSkew } from './clock-skew.ts';
import { createKeyWatch, type KeyWatch } from './key-watch.ts';
import { createLaneStore, type LaneStep } from './lane-store.ts';
import type { Admission, Lanes, Turn } from './lanes.ts';
import { openCells } from './open-cells.ts';

/**
 * Each command is a few bytes; thousands are written together when a large meeting is planned. The times are long: a
 * worker waits for a store that is away for a while, and a job that does not hear from it in time is tried again.
 */
const writerLimits = {
  maxGroup: 2000,
  maxGroupSize: 2000,
  maxWaiting: 200_000,
  maxWaitingSize: 200_000,
  // Two steps of one process on one lane would only stand in each other's way.
  maxInFlight: 1,
  startWithinMs: 25_000,
  answerWithinMs: 30_000,
  sizeOf: () => 1,
};

/** Whoever has a report does not wait longer than this to say that the key was taken, nor an alert for its turn. */
const notesWithinMs = 5000;

/** What the workers share besides the ledger. Closing the lanes closes both. */
export interface Pace {
  readonly lanes: Lanes;
  readonly keyWatch: KeyWatch;
  readonly alertGate: AlertGate;
}

/** Opens lanes, key watch and alert gate in the store that keeps the jobs. Rejects when their table cannot be made. */
export async function openPace(
  backend: Backend,
  log: Log,
  machineClock: () => number = Date.now,
): Promise<Pace> {
  const cells = await openCells(backend, log);
  const notes: Pick<Cells, 'swap'> = {
    swap: (swaps, nowMs) => withDeadline(cells.swap(swaps, nowMs), notesWithinMs),
  };
  return {
    lanes: createLanes(cells, machineClock),
    keyWatch: createKeyWatch(notes),
    alertGate: createAlertGate(notes),
  };
}

function createLanes(cells: Cells, machineClock: () => number): Lanes {
  const skew = createClockSkew(() => cells.readClockMs(), machineClock);
  void skew.refresh();
  const store = createLaneStore(cells);
  const writer = createGroupedWriter<LaneStep, Admission>((steps) => store.take(steps), writerLimits);

  /** The lanes live on the store's clock; times that come in and go out are the caller's. */
  const write = async (step: LaneStep): Promise<Admission> => {
    void skew.refresh();
    const skewMs = skew.skewMs();
    const answer = await writer.write({
      ...step,
      nowMs: step.nowMs + skewMs,
      command:
        step.command.kind === 'pause'
          ? { ...step.command, untilMs: step.command.untilMs + skewMs }
          : step.command,
    });
    return answer.kind === 'go' ? answer : { ...answer, atMs: answer.atMs - skewMs };
  };
  const writeForTurn = async (step: LaneStep): Promise<Turn> => {
    const answer = await write(step);
    if (answer.kind === 'go') throw new Error('a lane gave no turn');
    return { turnMs: answer.turnMs, atMs: answer.atMs };
  };

  return {
    reserve: (lanes, nowMs) =>
      Promise.all(lanes.map((lane) => writeForTurn({ lane, command: { kind: 'reserve' }, nowMs }))),
    enter: ({ lane, turnMs, isReturning = false }, nowMs) =>
      write({ lane, command: { kind: 'enter', turnMs, isReturning }, nowMs }),
    pause: (lane, untilMs, nowMs) => writeForTurn({ lane, command: { kind: 'pause', untilMs }, nowMs }),
    sweep: (nowMs) => cells.sweep(nowMs),
    close: () => cells.close([writer]),
  };
}
