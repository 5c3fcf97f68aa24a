import { createEndpointBox, type EndpointBox, type Endpoints, type Receiver } from '@aftermeet/receiver';
import type { MeterReading, ReloadResult } from '@aftermeet/receiver';

import type { ReceiverSettings } from '../open-receiver.ts';
import { createQuestions } from './create-questions.ts';
import type { ToPrimary, ToProcess } from './messages.ts';

/** Longer than the primary gives the other processes. */
const ANSWER_WITHIN_MS = 5000;

/** A process's way to the primary. */
export interface PrimaryChannel {
  readonly started: Promise<{ readonly settings: ReceiverSettings; readonly endpoints: Endpoints }>;
  readonly reload: () => Promise<ReloadResult>;
  readonly listReadings: () => Promise<readonly MeterReading[]>;
  readonly tellUp: (where: { readonly url: string; readonly queue: string }, read: Receiver['read']) => void;
  readonly tellFailed: (message: string) => void;
}

/** Says that this process is there, and does what the primary wants from then on. */
export function openPrimaryChannel(stop: () => void): PrimaryChannel {
  const reloads = createQuestions<ReloadResult>();
  const readings = createQuestions<readonly MeterReading[]>();
  let box: EndpointBox | undefined;
  let read: Receiver['read'] | undefined;
  const started = new Promise<Awaited<PrimaryChannel['started']>>((resolve) => {
    process.on('message', (message: ToProcess) => {
      switch (message.kind) {
        case 'start':
          box = createEndpointBox(message.settings.endpoints);
          resolve({ settings: message.settings, endpoints: box.endpoints });
          break;
        case 'replace':
          box?.replace(message.endpoints);
          tell({ kind: 'replaced', id: message.id });
          break;
        case 'read':
          if (read !== undefined) tell({ kind: 'reading', id: message.id, reading: read() });
          break;
        case 'reloaded':
          reloads.settle(message.id, message.result);
          break;
        case 'readings':
          readings.settle(message.id, message.readings);
          break;
        case 'stop':
          stop();
          break;
      }
    });
  });
  tell({ kind: 'hello' });
  return {
    started,
    reload: async () =>
      (await reloads.ask((id) => tell({ kind: 'reload', id }), ANSWER_WITHIN_MS)) ?? {
        ok: false,
        problems: ['The primary process did not answer.'],
      },
    listReadings: async () =>
      (await readings.ask((id) => tell({ kind: 'list_readings', id }), ANSWER_WITHIN_MS)) ??
      (read === undefined ? [] : [read()]),
    tellUp: (where, readNow) => {
      read = readNow;
      tell({ kind: 'up', ...where });
    },
    tellFailed: (message) => tell({ kind: 'failed', message }),
  };
}

/** To a primary that is gone nothing is told: its end stops this process. */
function tell(message: ToPrimary): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
