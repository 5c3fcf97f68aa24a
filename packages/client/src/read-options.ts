import { setTimeout as sleep } from 'node:timers/promises';

import type { Problem } from '@aftermeet/contract';

import { createKeyGuard } from './admit-key.ts';
import type { ClientOptions } from './client.ts';
import { refuseInput } from './prepare-call.ts';
import { readAddress } from './read-address.ts';
import type { Connection } from './send-request.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 4;
/** What a timer can hold. */
const MAX_TIMEOUT_MS = 2_147_483_647;
const MAX_RETRIES = 100;

/** Checks the options once, for all calls. Throws `bad_request` with every rule that is broken. */
export function readOptions(options: ClientOptions): { connection: Connection; mcpUrl: string } {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES } = options;
  const base = readAddress(options.baseUrl);
  const mcp = options.mcpUrl === undefined ? base : readAddress(options.mcpUrl);
  const problems: Problem[] = [
    ...(base.ok ? [] : [{ field: 'baseUrl', message: base.rule }]),
    ...(mcp.ok || options.mcpUrl === undefined ? [] : [{ field: 'mcpUrl', message: mcp.rule }]),
    ...(mcp.ok && mcp.address.endsWith('/mcp')
      ? [{ field: 'mcpUrl', message: 'must be given without /mcp at its end, which is added' }]
      : []),
    ...checkKey(apiKey),
    ...checkInteger('timeoutMs', timeoutMs, 1, MAX_TIMEOUT_MS),
    ...checkInteger('retries', retries, 0, MAX_RETRIES),
  ];
  if (!base.ok || !mcp.ok || problems.length > 0) throw refuseInput('createClient', problems);
  const asking = {
    apiKey,
    fetch: options.fetch ?? fetch,
    timeoutMs,
    clock: options.clock ?? Date.now,
  };
  const connection = {
    ...asking,
    baseUrl: base.address,
    admitKey: createKeyGuard(asking),
    retries,
    random: options.random ?? Math.random,
    wait: options.wait ?? waitInRealTime,
  };
  return { connection, mcpUrl: mcp.address };
}

function checkKey(apiKey: unknown): readonly Problem[] {
  const isSendable = typeof apiKey === 'string' && /^[\x21-\x7E]+$/.test(apiKey);
  const message = 'must be the key as the service shows it: ASCII characters without blanks or line ends';
  return isSendable ? [] : [{ field: 'apiKey', message }];
}

function checkInteger(field: string, value: unknown, min: number, max: number): readonly Problem[] {
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return isRight ? [] : [{ field, message: `must be a whole number from ${min} to ${max}` }];
}

async function waitInRealTime(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, signal === undefined ? {} : { signal });
}
