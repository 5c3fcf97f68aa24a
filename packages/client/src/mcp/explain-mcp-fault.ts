import type * as sdkModule from '@modelcontextprotocol/client';

import { describeAnswer } from '../read-answer.ts';
import { ServiceError, type ServiceErrorCode } from '../service-error.ts';

export type Sdk = typeof sdkModule;

export interface McpFaultFacts {
  readonly doing: string;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly secrets: readonly string[];
  /** What ended the session: the stream of an answer that broke off or did not end. */
  readonly broken: ServiceError | undefined;
  /** What went wrong with the last request, if it was the request. */
  readonly lastFault: ServiceError | undefined;
}

/** JSON-RPC's numbers for what the caller did wrong; an unknown tool is one of the first. */
const protocolCodes: ReadonlyMap<number, ServiceErrorCode> = new Map([
  [-32_602, 'bad_request'],
  [-32_601, 'not_found'],
  [-32_603, 'server'],
]);

/** What the SDK threw, as a `ServiceError`. */
export function explainMcpFault(sdk: Sdk, error: unknown, facts: McpFaultFacts): ServiceError {
  const { doing, signal, timeoutMs, secrets, broken, lastFault } = facts;
  if (signal?.aborted === true) return new ServiceError({ code: 'aborted', doing });
  if (broken !== undefined) return broken;
  if (error instanceof ServiceError) return error;
  if (error instanceof sdk.ProtocolError) {
    const code = protocolCodes.get(error.code) ?? 'unreadable';
    const detail = describeAnswer(error.message, secrets);
    return new ServiceError({ code, doing, ...(detail === undefined ? {} : { detail }) });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return new ServiceError({ code: 'timeout', doing, detail: `no answer in ${timeoutMs} ms` });
  }
  if (lastFault !== undefined) return lastFault;
  const detail = `the answer is not one of an MCP server${error instanceof sdk.SdkError ? ` (${error.code})` : ''}`;
  return new ServiceError({ code: 'unreadable', doing, detail });
}
