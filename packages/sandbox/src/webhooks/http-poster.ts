import { lookup, type LookupAddress } from 'node:dns';
import { Agent, request, type ClientRequest } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';

import { isLoopbackAddress, isLoopbackName } from '../web/guards.ts';
import type { Receiver } from './delivery.ts';

export interface PosterSettings {
  /** How long a receiver may take, from the moment the request has its socket. */
  readonly timeoutMs: number;
  readonly allowRemoteReceivers: boolean;
  /** Resolves names; default the way of the system. */
  readonly resolve?: LookupFunction | undefined;
}

interface Post {
  readonly receiver: Receiver;
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

export interface Poster {
  /** Calls `done` once, never before it has returned. */
  readonly post: (post: Post, done: (answer: PostAnswer) => void) => void;
  /** Aborts every request and closes every connection. It can be used again. */
  readonly close: () => void;
}

/** More requests to one receiver wait for a connection. */
const CONNECTIONS_PER_RECEIVER = 64;
/** Idle connections are closed after it, or sooner when the receiver says so. */
const IDLE_MS = 30_000;
/** Only the status of an answer is used: a longer body is cut. */
const MAX_ANSWER_BYTES = 64 * 1024;

const remoteRefused: PostAnswer = {
  refusal: 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off',
};
const UNKNOWN_FAILURE = 'connection failed';

/** Posts over connections that are used again. Redirects are not followed, and certificates are checked. */
export function createPoster(settings: PosterSettings): Poster {
  const { timeoutMs, allowRemoteReceivers, resolve = lookup } = settings;
  const common = {
    lookup: allowRemoteReceivers ? resolve : lookupLoopback(resolve),
    maxSockets: CONNECTIONS_PER_RECEIVER,
  };
  const agentOptions = { ...common, keepAlive: true, timeout: IDLE_MS };
  const agents = { plain: new Agent(agentOptions), secure: new SecureAgent(agentOptions) };
  const freshAgents = { plain: new Agent(common), secure: new SecureAgent(common) };
  /** A used connection may have been closed by the receiver meanwhile. */
  const usedSockets = new WeakSet<Socket>();
  /** Aborts each request under way. */
  const aborts = new Set<() => void>();
  /** Checking a name costs more than signing a delivery, and most deliveries go to the same one. */
  let lastLocalName = '';

  function open({ receiver, headers }: Post, isFresh: boolean): ClientRequest {
    const { isSecure, hostname: host, port, path } = receiver;
    const { plain, secure } = isFresh ? freshAgents : agents;
    const target = { method: 'POST', host, port, path, headers };
    return isSecure ? requestSecurely({ ...target, agent: secure }) : request({ ...target, agent: plain });
  }

  function exchange(post: Post, isFresh: boolean, done: (answer: PostAnswer) => void): void {
    let answer: PostAnswer | undefined;
    let failure: string | undefined;
    let isReused = false;
    let isWritten = false;
    let timer: NodeJS.Timeout | undefined;
    const outgoing = open(post, isFresh);
    const abort = (): void => {
      answer ??= { error: 'timeout' };
      outgoing.destroy();
    };
    aborts.add(abort);
    const write = (): void => {
      if (outgoing.destroyed || failure !== undefined) return;
      isWritten = true;
      outgoing.end(post.body);
    };
    outgoing.on('socket', (socket) => {
      timer = setTimeout(abort, timeoutMs);
      isReused = usedSockets.has(socket);
      usedSockets.add(socket);
      // A closed connection is noticed within two rounds of the event loop.
      if (isReused) setImmediate(() => setImmediate(write));
      else write();
    });
    outgoing.on('response', (response) => {
      // Some receivers answer 408 when they close an idle connection.
      if (!isWritten) {
        outgoing.destroy();
        return;
      }
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
      // The receiver closed an idle connection before anything was sent: this is not an attempt.
      if (answer === undefined && isReused && !isWritten) exchange(post, true, done);
      else done(answer ?? describeFailure(failure ?? UNKNOWN_FAILURE));
    });
  }

  return {
    post(post, done) {
      const { hostname } = post.receiver;
      if (!allowRemoteReceivers && hostname !== lastLocalName) {
        if (!isLoopbackName(hostname)) {
          queueMicrotask(() => done(remoteRefused));
          return;
        }
        lastLocalName = hostname;
      }
      try {
        exchange(post, false, done);
      } catch (error) {
        queueMicrotask(() => done({ refusal: `not sent: ${readCode(error)}` }));
      }
    },
    close() {
      for (const abort of aborts) abort();
      for (const { plain, secure } of [agents, freshAgents]) {
        plain.destroy();
        secure.destroy();
      }
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

function describeFailure(code: string): PostAnswer {
  return code === REMOTE_ADDRESS ? remoteRefused : { error: code };
}

/** The code of the system: messages name addresses. */
function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : UNKNOWN_FAILURE;
}
