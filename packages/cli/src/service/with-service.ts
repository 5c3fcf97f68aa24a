import type { Client, ClientOptions, ServiceError as Fault, VerifyCall } from '@aftermeet/client';

import type { CommandContext, Context } from '../context.ts';
import { Failure } from '../errors.ts';
import { armStopSignal } from '../hosting/stop-signal.ts';
import { omitUndefined } from '../options.ts';
import type { ServiceSettings } from '../settings/settings.ts';
import { formatDuration } from '../terminal/format.ts';
import {
  createPlainProgress,
  createProgressLine,
  type ProgressLine,
  silentProgress,
} from '../terminal/progress.ts';
import { cleanLine, quoteWord } from '../terminal/text.ts';
import { adviseCheck, describeFault, explainServiceError } from './explain-service-error.ts';
import { operationCommands } from './operations.ts';

/** What a command needs to call the service. */
export interface Service {
  readonly client: Client;
  /** For every call: aborts at Ctrl-C. */
  readonly call: { readonly signal: AbortSignal };
  readonly progress: ProgressLine;
}

/** How one command uses the service. */
interface ServiceUse {
  readonly json?: boolean | undefined;
  /** Printed when the command is stopped (default: `Stopped.`). */
  readonly stopped?: string;
  /** Options of the client in addition to the settings. */
  readonly clientOptions?: Pick<ClientOptions, 'webhookTargets'>;
  /** The meeting, for advice. */
  readonly meetingId?: string;
  /** The service to call in place of the configured one. */
  readonly settings?: ServiceSettings;
}

/** The time for a call to end after it is aborted. */
const STOP_WITHIN_MS = 10_000;

/**
 * Runs `use` with a client of the configured service. Errors of a call are thrown as a `Failure` with advice; Ctrl-C
 * aborts the call and ends with 130. Progress is cleared before this returns.
 */
export async function withService<Result>(
  context: CommandContext,
  { json, stopped = 'Stopped.', meetingId, clientOptions, ...given }: ServiceUse,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const { requireService } = await import('../settings/service.ts');
  const { baseUrl, apiKey, mcpUrl } = given.settings ?? requireService(context);
  const { AmbiguousWriteError, createClient, ServiceError } = await import('@aftermeet/client');
  const progress = json === true ? silentProgress : createProgress(context);
  const stop = (context.armStop ?? armStopSignal)(STOP_WITHIN_MS);
  try {
    const client = createClient({
      baseUrl,
      apiKey,
      ...omitUndefined({ mcpUrl }),
      ...context.client,
      ...clientOptions,
      onRetry: (error, waitMs) => {
        // In a pipe only the result counts.
        if (context.isErrorTerminal === true) progress.note(describeRetry(error, waitMs));
      },
      ...omitUndefined({ clock: context.clock }),
    });
    return await use({ client, call: { signal: stop.signal }, progress });
  } catch (error) {
    const checkCommand = error instanceof AmbiguousWriteError ? formatCommand(error.verifyWith) : undefined;
    if (stop.signal.aborted) {
      const mayHaveTakenEffect = error instanceof ServiceError && error.mayHaveTakenEffect;
      const advice = checkCommand !== undefined || mayHaveTakenEffect ? adviseCheck(checkCommand) : undefined;
      const facts = { exitCode: stop.exitCode(), code: 'aborted' as const, message: stopped };
      throw new Failure({ ...facts, ...omitUndefined({ advice }) });
    }
    if (!(error instanceof ServiceError)) throw error;
    throw new Failure(explainServiceError(error, { checkCommand, meetingId }));
  } finally {
    progress.clear();
    stop.disarm();
  }
}

/** Progress of a command: a line on a terminal, notes alone in a pipe. */
export function createProgress(context: Context): ProgressLine {
  if (context.isErrorTerminal !== true) return createPlainProgress(context.writeError);
  return createProgressLine({
    write: context.writeError,
    columns: context.columns ?? (() => undefined),
    clock: context.clock ?? Date.now,
  });
}

/** `The service can't be reached (ECONNREFUSED); trying again in 2 s.` */
function describeRetry(error: Fault, waitMs: number): string {
  return `${cleanLine(describeFault(error))}; trying again in ${formatDuration(Math.ceil(waitMs / 1000))}.`;
}

/** The command line that shows whether a write with a lost answer took effect. */
function formatCommand(call: VerifyCall): string {
  const words = ['aftermeet', operationCommands[call.operation], ...listWords(call)];
  return words.join(' ');
}

function listWords(call: VerifyCall): readonly string[] {
  switch (call.operation) {
    case 'meetings.search': {
      const { q, dateFrom } = call.input;
      return [
        ...(q === undefined ? [] : [quoteWord(q)]),
        ...(dateFrom === undefined ? [] : ['--from', quoteWord(dateFrom)]),
      ];
    }
    case 'reports.get':
      return [quoteWord(call.input.meetingId)];
    case 'tags.list':
      return [];
    default:
      return call satisfies never;
  }
}
