import { lookup, type LookupAddress } from 'node:dns';
import { Agent, request } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';

import { isLoopbackAddress, isLoopbackName } from '../web/guards.ts';

export interface PosterSettings {
  /** How long a receiver may take, from the moment the request has its socket. */
  readonly timeoutMs: number;
  readonly allowRemoteReceivers: boolean;
  /** Resolves names; default the way of the system. */
  readonly resolve?: LookupFunction | undefined;
}

interface Post {
  readonly receiver: URL;
  /** Names and values in turn, with Host. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type PostAnswer =
  | { readonly status: number }
  /** The code of the failure. */
  | { readonly error: string }
  /** Why it was not tried, and never will be. */
  | { readonly refusal: string };

export type Poster = ReturnType<typeof createPoster>;

/** More requests to one receiver wait for a connection. */
const CONNECTIONS_PER_RECEIVER = 64;
/** Only the status of an answer is used: a longer body is cut. */
const MAX_ANSWER_BYTES = 64 * 1024;

const remoteRefused: PostAnswer = {
  refusal: 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off',
};
const UNKNOWN_FAILURE = 'connection failed';

/** Posts, each over a connection of its own. Redirects are not followed, and certificates are checked. */
export function createPoster(settings: PosterSettings) {
  const { timeoutMs, allowRemoteReceivers, resolve = lookup } = settings;
  const agentOptions = {
    keepAlive: false,
    lookup: allowRemoteReceivers ? resolve : lookupLoopback(resolve),
    maxSockets: CONNECTIONS_PER_RECEIVER,
  };
  const agents = { plain: new Agent(agentOptions), secure: new SecureAgent(agentOptions) };
  /** Aborts each request under way. */
  const aborts = new Set<() => void>();

  function exchange({ receiver, headers, body }: Post, done: (answer: PostAnswer) => void): void {
    const outgoing =
      receiver.protocol === 'https:'
        ? requestSecurely(receiver, { method: 'POST', headers, agent: agents.secure })
        : request(receiver, { method: 'POST', headers, agent: agents.plain });
    let answer: PostAnswer | undefined;
    let failure = UNKNOWN_FAILURE;
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      answer ??= { error: 'timeout' };
      outgoing.destroy();
    };
    aborts.add(abort);
    outgoing.on('socket', () => {
      timer = setTimeout(abort, timeoutMs);
    });
    outgoing.on('response', (response) => {
      answer ??= { status: response.statusCode ?? 0 };
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > MAX_ANSWER_BYTES) outgoing.destroy();
      });
    });
    outgoing.on('error', (error) => {
      failure = readCode(error);
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      aborts.delete(abort);
      done(answer ?? (failure === REMOTE_ADDRESS ? remoteRefused : { error: failure }));
    });
    outgoing.end(body);
  }

  return {
    /** Calls `done` once, never before it has returned. */
    post(post: Post, done: (answer: PostAnswer) => void): void {
      if (!allowRemoteReceivers && !isLoopbackName(post.receiver.hostname)) {
        queueMicrotask(() => done(remoteRefused));
        return;
      }
      try {
        exchange(post, done);
      } catch (error) {
        queueMicrotask(() => done({ refusal: `not sent: ${readCode(error)}` }));
      }
    },
    /** Aborts every request. It can be used again. */
    close: (): void => {
      for (const abort of aborts) abort();
    },
  };
}

const REMOTE_ADDRESS = 'REMOTE_ADDRESS';

/**
 * Resolves names to loopback addresses only. A connection goes to the address that this returns, so a name cannot mean
 * this machine when it is checked and another one when it is used. Literal addresses are checked by `isLoopbackName`.
 */
function lookupLoopback(resolve: LookupFunction): LookupFunction {
  return (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      const found: readonly LookupAddress[] = Array.isArray(addresses) ? addresses : [];
      const local = found.filter(({ address }) => isLoopbackAddress(address));
      const [first] = local;
      if (error !== null) callback(error, []);
      else if (first === undefined) {
        callback(Object.assign(new Error('The name means another machine.'), { code: REMOTE_ADDRESS }), []);
      } else if (options.all) callback(null, local);
      else callback(null, first.address, first.family);
    });
  };
}

/** The code of the system: messages name addresses. */
function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : UNKNOWN_FAILURE;
}
