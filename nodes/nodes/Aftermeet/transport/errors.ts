import {
  AmbiguousWriteError,
  type FaultFacts,
  toServiceError,
  ServiceError,
  type ServiceErrorCode,
} from '@aftermeet/client/pure';
import { formatPath, formatProblem, type Problem } from '@aftermeet/contract';
import { type INode, type JsonObject, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { hideNodeSecrets } from './redact.ts';

/**
 * What an operation threw, as n8n shows it: what the service said as the message, what to do as the description. What was
 * refused here, before anything was sent, is a `NodeOperationError`. Nothing of a request is in it, for that holds the key, and
 * the node in it is without the secrets that were typed into its parameters. Outside of an execution there is no item, and of no
 * operation there are no labels.
 */
export function explainFailure(
  node: INode,
  error: unknown,
  itemIndex?: number,
  labels?: FieldLabels,
): NodeApiError | NodeOperationError {
  const failure = explain(node, error, { itemIndex, labels });
  return Object.assign(failure, { node: hideNodeSecrets(failure.node) });
}

interface FailurePlace {
  readonly itemIndex: number | undefined;
  readonly labels: FieldLabels | undefined;
}

function explain(node: INode, error: unknown, place: FailurePlace): NodeApiError | NodeOperationError {
  const { itemIndex } = place;
  const item = itemIndex === undefined ? {} : { itemIndex };
  if (error instanceof ServiceError) return explainServiceError(node, error, place);
  if (!(error instanceof Error)) return new NodeOperationError(node, 'The operation failed', item);
  if (holdsRequest(error)) {
    return explainServiceError(node, explainRequestFault(error, { operation: 'request' }), place);
  }
  if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
  return new NodeOperationError(node, error, item);
}

function explainServiceError(
  node: INode,
  error: ServiceError,
  { itemIndex, labels }: FailurePlace,
): NodeApiError | NodeOperationError {
  const item = itemIndex === undefined ? {} : { itemIndex };
  const { message, code, status, unsent } = error;
  const words = sayWhatHappened(error, labels);
  const description = `${adviseOn(error)} (${message})`;
  // Not under the name `code`: n8n takes that for the status.
  const facts: JsonObject = { message, kind: code };
  const failure =
    code === 'bad_request' && unsent
      ? new NodeOperationError(node, words, { ...item, description })
      : new NodeApiError(node, facts, {
          message: words,
          description,
          ...item,
          ...(status === undefined ? {} : { httpCode: String(status) }),
        });
  // n8n puts words of its own in the place of any that hold a code, also where those advise to send a write again.
  failure.message = words;
  return failure;
}

/** The error of an HTTP library, or one around it. */
function holdsRequest(error: Error): boolean {
  return listCauses(error).some((cause) => 'config' in cause || 'request' in cause || 'response' in cause);
}

/** How axios says that its time was up; Node.js itself would name the call that failed (`syscall`). */
const timeoutCodes: ReadonlySet<string> = new Set(['ECONNABORTED', 'ETIMEDOUT']);

/** Of a certificate that is refused, and so before the request is sent. */
const certificateCode = /^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/;

/** What OpenSSL says of an answer to its first words that is not TLS at all. */
const notTlsWords = /wrong version number|packet length too long|unknown protocol/i;

/** n8n's protection of the machines around it. */
const blockedName = /^SsrfBlocked/;

/**
 * What n8n's `httpRequestWithAuthentication` threw, as a `ServiceError`. It wraps the error of axios, and that wraps the one of
 * Node.js; both hold the request with its headers, so that nothing of them is kept but a code. Surely unsent, and not worth a
 * repetition, is what ends before the first byte of a request: a certificate that is not trusted, an answer that is no TLS, an
 * address that n8n itself does not allow.
 */
export function explainRequestFault(error: unknown, facts: FaultFacts): ServiceError {
  if (error instanceof ServiceError) return error;
  const { operation, signal, timeout, timeoutMs } = facts;
  const chain: readonly Cause[] = listCauses(error);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  const isEnded = codes.includes('ERR_CANCELED') && timeout?.aborted !== true;
  if (signal?.aborted === true || isEnded) return new ServiceError({ code: 'aborted', operation });
  if (codes.some((code) => timeoutCodes.has(code)) && chain.every(({ syscall }) => syscall === undefined)) {
    const detail = timeoutMs === undefined ? 'no answer in time' : `no answer in ${timeoutMs} ms`;
    return new ServiceError({ code: 'timeout', operation, detail });
  }
  const detail = findHopeless(chain, codes);
  if (detail !== undefined) {
    return new ServiceError({ code: 'connection', operation, detail, unsent: true, retryable: false });
  }
  return toServiceError(error, facts);
}

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** Why no attempt can get further than this one, where that is so. */
function findHopeless(chain: readonly Cause[], codes: readonly string[]): string | undefined {
  const certificate = codes.find((code) => certificateCode.test(code));
  if (certificate !== undefined) return `the certificate of the service is not trusted (${certificate})`;
  if (codes.includes('EPROTO') && chain.some(({ message }) => notTlsWords.test(message))) {
    return 'the service does not speak https (EPROTO)';
  }
  const blocked = chain.find(({ name }) => blockedName.test(name));
  return blocked === undefined ? undefined : `n8n does not let requests go to this address (${blocked.name})`;
}

const ofWorkspace = 'It has to be of the workspace whose key the credential holds.';

/** What to do, by the code of the client's errors. */
const byCode: Readonly<Record<ServiceErrorCode, string>> = {
  connection: 'Check the address in the credential, and whether n8n can reach the service.',
  timeout: 'The service did not answer in time. Try again later.',
  aborted: 'If it was a change, look at the service: it may have taken effect.',
  ambiguous: 'It is unknown whether it took effect: look at the service before you run this again.',
  redirected: 'The service answers from another address: put that one into the credential.',
  bad_request: 'Check the parameters of this node.',
  unauthorized: 'Check the API Key in the credential. A new key makes the old one invalid at once.',
  payment_required: 'The minutes of the plan may be used up: see the workspace.',
  forbidden: 'The plan or the key does not allow this.',
  not_found: `Check the ID. ${ofWorkspace}`,
  conflict: 'It is there already, or not in a state that allows this.',
  not_ready: 'The meeting is not processed yet: use Wait Until Ready before this.',
  // Not n8n's Retry On Fail: that would send again what may have taken effect, too.
  rate_limited: 'The service was asked too often. Run this later, or with fewer items at a time.',
  server: 'The service failed. Try again later.',
  unexpected_status: 'Check the address in the credential.',
  unreadable: 'Check the address in the credential: something else may answer there.',
  file_system: 'Check the disk of the machine on which n8n runs.',
};

/** The operations of this node that show whether a write took effect. */
const settledBy: Readonly<Record<AmbiguousWriteError['verifyWith']['operation'], string>> = {
  'meetings.search': 'Meeting: Get Many',
  'reports.get': 'Report: Get',
  'tags.list': 'Tag: Get Many',
};

/** What the author of a workflow can do about it, in a few sentences. Pure. */
function adviseOn(error: ServiceError): string {
  if (error instanceof AmbiguousWriteError) {
    const look = settledBy[error.verifyWith.operation];
    return `It was not sent again, because it may have taken effect. Look with ${look} before you run this again.`;
  }
  const { code, retryAfterMs } = error;
  const advice = adviseOnMissing(error) ?? adviseOnConnection(error) ?? byCode[code];
  if (retryAfterMs === undefined) return advice;
  return `${advice} It asks to be left alone for ${Math.ceil(retryAfterMs / 1000)} seconds.`;
}

/** By what the service says that it did not find, the narrowest first: a sentence about a block may name its template, too. */
const missing: readonly (readonly [named: RegExp, advice: string])[] = [
  [
    /\b(?:block|entity)/i,
    'Check the name of the block: Report: Get lists those of each template of the report.',
  ],
  [
    /\bno report\b/i,
    'There is no report of this meeting: it is not over, or it failed. Recording: Get Status says which; with When Not Ready the node returns that as an item.',
  ],
  [
    /\breport has no template|\bnot made from this template/i,
    'Check the template: it has to be one of this report, which Report: Get lists. Report: Generate makes another.',
  ],
  [
    /\btemplate/i,
    `Check the template: Template: Get Many lists the built-in ones and those of the workspace. ${ofWorkspace}`,
  ],
  [/\btag/i, `Check the ID of the tag: Tag: Get Many lists them. ${ofWorkspace}`],
  [/\bmeeting/i, `Check the ID of the meeting: Meeting: Get Many lists them. ${ofWorkspace}`],
];

/** Undefined where it is not said what was not found. */
function adviseOnMissing({ code, detail = '' }: ServiceError): string | undefined {
  if (code !== 'not_found') return undefined;
  return missing.find(([named]) => named.test(detail))?.[1];
}

/** What the usual faults of an address look like. */
const connectionAdvice: ReadonlyMap<string, string> = new Map([
  [
    'ECONNREFUSED',
    'Check the address in the credential, with its host and port, and whether the service runs. In a container, localhost is the container itself.',
  ],
  ['ENOTFOUND', 'Check the address in the credential, and whether n8n can look up its host.'],
]);

function adviseOnConnection({ code, systemCode = '' }: ServiceError): string | undefined {
  return code === 'connection' ? connectionAdvice.get(systemCode) : undefined;
}

/** What the usual codes of Node.js mean. */
const codeWords: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'Nothing listens at the port of the address in the credential'],
  ['ECONNRESET', 'The service broke off the connection'],
  ['ENOTFOUND', 'The host of the service is not known'],
  ['EAI_AGAIN', 'The host of the service could not be looked up'],
  ['EHOSTUNREACH', 'The host of the service cannot be reached'],
  ['ENETUNREACH', 'The host of the service cannot be reached'],
]);

/** No name of a field. */
const plainWordAtStart = /^[a-z]+(?=[\s,.:;]|$)/;

/** What people know a field by in the editor, by its name in the contract. */
export type FieldLabels = ReadonlyMap<string, string>;

/**
 * What happened, as the first thing that people read: in the service's own words where it gave any. A field that was refused here
 * goes by its label. Pure.
 */
function sayWhatHappened(error: ServiceError, labels: FieldLabels = new Map()): string {
  const { code, status, message, problems, systemCode, detail } = error;
  if (code === 'aborted') return 'The execution was cancelled';
  if (problems.length > 0) {
    return problems.map((problem) => formatProblem(problem, nameField(problem, labels))).join('; ');
  }
  if (code === 'connection' && systemCode !== undefined && detail === systemCode) {
    return `${codeWords.get(systemCode) ?? 'The connection to the service failed'} (${systemCode})`;
  }
  if (detail === undefined) return status === undefined ? message : `The service answered ${status}`;
  return detail.replace(plainWordAtStart, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function nameField({ path }: Problem, labels: FieldLabels): string {
  return labels.get(String(path[0])) ?? formatPath(path);
}

/** A chain that is longer than any seen: n8n's error, that of axios, and that of Node.js. */
const MAX_DEPTH = 5;

/** An error and what caused it, the outermost first. Pure. */
function listCauses(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_DEPTH; at = at.cause) chain.push(at);
  return chain;
}
