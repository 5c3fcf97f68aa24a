import type { Client, ClientOptions } from '@aftermeet/client';

import type { Context } from '../context.ts';
import { dropAbsent } from '../drop-absent.ts';
import { Failure } from '../failure.ts';
import { armStopSignal } from '../stop-signal.ts';
import {
  createPlainProgress,
  createProgressLine,
  type ProgressLine,
  silentProgress,
} from '../terminal/progress-line.ts';
import { explainServiceError, LOOK_FIRST } from './explain-service-error.ts';
import { writeSettlingCommand } from './settling-command.ts';

/** What a command needs to call the service. */
export interface Service {
  readonly client: Client;
  /** For every call: aborts at Ctrl-C. */
  readonly call: { readonly signal: AbortSignal };
  readonly progress: ProgressLine;
}

/** What only the command knows. */
export interface ServiceUse {
  readonly json?: boolean | undefined;
  /** Said when the command is stopped; default that it was. */
  readonly stopped?: string;
  /** What the client is made with, beside the settings of the service. */
  readonly clientOptions?: Pick<ClientOptions, 'webhookTargets'>;
  /** The meeting that it is about, for what to do next. */
  readonly meetingId?: string;
}

/** The time that a call has to end when it is called off. */
const STOP_WITHIN_MS = 10_000;

/**
 * Runs `use` with a client of the service in the settings. Whatever goes wrong in a call is thrown as a `Failure`
 * that says what to do next; Ctrl-C calls it off and ends with 130. Progress is gone before this returns.
 */
export async function withService<Result>(
  context: Context,
  { json, stopped = 'Stopped.', meetingId, clientOptions }: ServiceUse,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const { requireService } = await import('../settings/read-service.ts');
  const settings = requireService(context.environment);
  const { AmbiguousWriteError, createClient, ServiceError } = await import('@aftermeet/client');
  const progress = json === true ? silentProgress : createProgress(context);
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  try {
    const client = createClient({
      ...settings,
      ...context.client,
      ...clientOptions,
      ...dropAbsent({ clock: context.clock }),
    });
    return await use({ client, call: { signal: stop.signal }, progress });
  } catch (error) {
    if (stop.signal.aborted) {
      // Of a write that was called off the client says that nobody knows.
      const advice = error instanceof ServiceError && error.detail !== undefined ? LOOK_FIRST : undefined;
      const facts = { exitCode: stop.exitCode(), code: 'aborted', message: stopped };
      throw new Failure({ ...facts, ...dropAbsent({ advice }) });
    }
    if (!(error instanceof ServiceError)) throw error;
    const settling =
      error instanceof AmbiguousWriteError ? writeSettlingCommand(error.settleWith) : undefined;
    throw new Failure(explainServiceError(error, { settling, meetingId }));
  } finally {
    progress.clear();
    stop.disarm();
  }
}

function createProgress(context: Context): ProgressLine {
  if (context.isErrorTerminal !== true) return createPlainProgress(context.writeError);
  return createProgressLine({
    write: context.writeError,
    columns: context.columns ?? (() => undefined),
    clock: context.clock ?? Date.now,
  });
}
