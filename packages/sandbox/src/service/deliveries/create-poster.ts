import { lookup } from 'node:dns';
import { Agent, request, type ClientRequest } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';

import { isLoopbackName } from '../../web/guard-local.ts';
import { createHooks } from './create-hooks.ts';
import { lookupLoopback, remoteAddressCode } from './lookup-loopback.ts';
import type { Receiver } from './read-receiver.ts';

export interface PosterSettings {
  /** How long a receiver may take, from the moment the request has its socket. */
  readonly timeoutMs: number;
  readonly allowRemoteReceivers: boolean;
  /** Resolves names; default the system's way. */
  readonly resolve?: LookupFunction | undefined;
}

interface Post {
  readonly receiver: Receiver;
  /** Names and values by turns; Host among them. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type PostAnswer =
  | { readonly status: number }
  /** The code of what kept the receiver from giving one. */
  | { readonly error: string }
  /** Why it was not even tried, nor ever will be. */
  | { readonly refusal: string };

export interface Poster {
  /** Calls `done` once, never before it has returned. */
  readonly post: (post: Post, done: (answer: PostAnswer) => void) => void;
  /** Breaks off what is under way and closes every connection; it can be used again. */
  readonly close: () => void;
}

/** How many connections one receiver gets. */
export const connectionsPerReceiver = 64;

/** The receiver is not on this machine, and nobody allowed that. */
const remoteRefused: PostAnswer = {
  refusal: 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off',
};

/** Idle connections are closed after it, or sooner where the receiver says so. */
const idleMs = 30_000;

/** Nobody reads what a receiver says besides its status: the connection is cut when it says more than this. */
const longestAnswerBytes = 64 * 1024;

/** Posts over connections that are used again. Redirects are not followed, and certificates are checked. */
export function createPoster(settings: PosterSettings): Poster {
  const { timeoutMs, allowRemoteReceivers, resolve = lookup } = settings;
  const common = { lookup: allowRemoteReceivers ? resolve : lookupLoopback(resolve) };
  const kept = { ...common, keepAlive: true, maxSockets: connectionsPerReceiver, timeout: idleMs };
  const agents = { plain: new Agent(kept), secure: new SecureAgent(kept) };
  const freshAgents = { plain: new Agent(common), secure: new SecureAgent(common) };
  /** Checking a name costs more than signing a delivery, and most go to the same one. */
  let lastLocalName = '';
  const running = createHooks();
  /** A connection that carries another delivery may have been closed meanwhile. */
  const usedSockets = new WeakSet<Socket>();

  function mayReach(hostname: string): boolean {
    if (allowRemoteReceivers || hostname === lastLocalName) return true;
    if (!isLoopbackName(hostname)) return false;
    lastLocalName = hostname;
    return true;
  }

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
    const outgoing = open(post, isFresh);
    const breakOff = (): void => {
      answer ??= { error: 'timeout' };
      outgoing.destroy();
    };
    const timer = setTimeout(breakOff, timeoutMs);
    const forget = running.add(breakOff);
    const write = (): void => {
      if (outgoing.destroyed || failure !== undefined) return;
      isWritten = true;
      outgoing.end(post.body);
    };
    outgoing.on('socket', (socket) => {
      isReused = usedSockets.has(socket);
      if (isReused) afterNextPoll(write);
      else write();
      usedSockets.add(socket);
    });
    outgoing.on('response', (response) => {
      // What a receiver says of a connection that it finds idle for too long.
      if (!isWritten) {
        outgoing.destroy();
        return;
      }
      answer ??= { status: response.statusCode ?? 0 };
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > longestAnswerBytes) outgoing.destroy();
      });
    });
    outgoing.on('error', (error) => {
      failure = readCode(error);
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      forget();
      // The receiver closed an idle connection as we took it up: nothing was sent, so this is no attempt. Once the
      // delivery was written, nobody can tell whether the receiver has read it, and a broken connection is a failure.
      const isStale = answer === undefined && isReused && !isWritten;
      if (isStale) exchange(post, true, done);
      else done(answer ?? describeFailure(failure ?? unknownFailure));
    });
  }

  return {
    post(post, done) {
      if (!mayReach(post.receiver.hostname)) {
        queueMicrotask(() => done(remoteRefused));
        return;
      }
      try {
        exchange(post, false, done);
      } catch (error) {
        queueMicrotask(() => done({ refusal: `not sent: ${readCode(error)}` }));
      }
    },
    close() {
      running.callAll();
      for (const agent of [agents, freshAgents]) {
        agent.plain.destroy();
        agent.secure.destroy();
      }
    },
  };
}

/**
 * When everything has been noticed that reached this process before the call: the round of the event loop that runs
 * may have asked the system already.
 */
function afterNextPoll(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

const unknownFailure = 'connection failed';

function describeFailure(code: string): PostAnswer {
  return code === remoteAddressCode ? remoteRefused : { error: code };
}

/** The system's code: messages name addresses. */
function readCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : unknownFailure;
}
