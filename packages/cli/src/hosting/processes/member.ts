import type { Endpoints, MeterReading, ReloadResult } from '@aftermeet/receiver';

import type { ReceiverSettings } from '../open-receiver.ts';
import { createQuestions } from './create-questions.ts';
import type { ToPrimary, ToProcess } from './messages.ts';

/** A process that was started. */
interface Child {
  /** Nothing happens when it is gone. */
  tell(message: ToProcess): void;
  kill(): void;
}

export type StartChild = (handlers: {
  readonly onMessage: (message: ToPrimary) => void;
  /** The exit code or the signal, in words. */
  readonly onExit: (how: string) => void;
}) => Child;

export interface MemberHandlers {
  readonly getSettings: () => ReceiverSettings;
  readonly onUp: (where: { readonly url: string; readonly queue: string }) => void;
  readonly onExit: (how: string) => void;
  readonly reload: () => Promise<ReloadResult>;
  readonly listReadings: () => Promise<readonly MeterReading[]>;
}

/** One process of the fleet, as the primary sees it. */
export interface Member {
  isUp(): boolean;
  /** Why it could not start. */
  failure(): string | undefined;
  /** What it counted when it was last asked. */
  lastReading(): MeterReading | undefined;
  /** Asks what it counts now, for a second at most. */
  read(): Promise<void>;
  /** Undefined when it did not say within a second that it has them. */
  replace(endpoints: Endpoints): Promise<'replaced' | undefined>;
  stop(): void;
  kill(): void;
}

const ANSWER_WITHIN_MS = 1000;

export function createMember(startChild: StartChild, handlers: MemberHandlers): Member {
  const readings = createQuestions<MeterReading>();
  const replacements = createQuestions<'replaced'>();
  let isUp = false;
  let failure: string | undefined;
  let reading: MeterReading | undefined;

  const receive = (message: ToPrimary): void => {
    switch (message.kind) {
      case 'hello':
        child.tell({ kind: 'start', settings: handlers.getSettings() });
        break;
      case 'up':
        isUp = true;
        handlers.onUp({ url: message.url, queue: message.queue });
        break;
      case 'failed':
        failure = message.message;
        break;
      case 'replaced':
        replacements.settle(message.id, 'replaced');
        break;
      case 'reading':
        readings.settle(message.id, message.reading);
        break;
      case 'reload':
        void handlers.reload().then((result) => child.tell({ kind: 'reloaded', id: message.id, result }));
        break;
      case 'list_readings':
        void handlers
          .listReadings()
          .then((list) => child.tell({ kind: 'readings', id: message.id, readings: list }));
        break;
    }
  };
  const child = startChild({ onMessage: receive, onExit: handlers.onExit });
  return {
    isUp: () => isUp,
    failure: () => failure,
    lastReading: () => reading,
    read: async () => {
      const answer = await readings.ask((id) => child.tell({ kind: 'read', id }), ANSWER_WITHIN_MS);
      reading = answer ?? reading;
    },
    replace: (endpoints) =>
      replacements.ask((id) => child.tell({ kind: 'replace', id, endpoints }), ANSWER_WITHIN_MS),
    stop: () => child.tell({ kind: 'stop' }),
    kill: () => child.kill(),
  };
}
