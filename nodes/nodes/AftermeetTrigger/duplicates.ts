import { createHash } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

/** What this process knows of a delivery: it is unknown, its processing is under way, or its execution was created. */
type ClaimState = 'free' | 'under way' | 'done';

export interface DeliveryClaims {
  readonly look: (key: string, nowMs: number) => ClaimState;
  readonly begin: (key: string) => void;
  /** The keys that begin so, without that beginning, the oldest first. */
  readonly listDone: (scope: string) => readonly string[];
  /** What this process has written into n8n's static data of a scope; undefined before the first time. */
  readonly lastWritten: (scope: string) => string | undefined;
  readonly noteWritten: (scope: string, kept: string) => void;
  /** `isDone`: its execution was stored, as n8n has told the sender or as that it runs shows. */
  readonly end: (key: string, isDone: boolean) => void;
  /** Its sender has gone, and n8n may still be storing its execution: under way until then, unless it ends before. */
  readonly linger: (key: string, untilMs: number) => void;
}

/**
 * Deliveries of all triggers of one process, in memory: each request gets its own copy of n8n's static data, so of two at once neither
 * sees the other there, and the one that is saved last wipes out what the other has added. Bounded, for all of them together.
 */
export function createDeliveryClaims(): DeliveryClaims {
  const underWay = new Set<string>();
  const done = new Set<string>();
  const lingering = new Map<string, number>();
  const written = new Map<string, string>();
  return {
    look: (key, nowMs) => {
      if (done.has(key)) return 'done';
      return underWay.has(key) || (lingering.get(key) ?? 0) > nowMs ? 'under way' : 'free';
    },
    listDone: (scope) =>
      [...done].filter((key) => key.startsWith(scope)).map((key) => key.slice(scope.length)),
    lastWritten: (scope) => written.get(scope),
    noteWritten: (scope, kept) => {
      written.set(scope, kept);
    },
    begin: (key) => {
      underWay.add(key);
    },
    linger: (key, untilMs) => {
      lingering.set(key, untilMs);
      for (const oldest of lingering.keys()) {
        if (lingering.size <= mostKeys) break;
        lingering.delete(oldest);
      }
    },
    end: (key, isDone) => {
      underWay.delete(key);
      lingering.delete(key);
      if (!isDone) return;
      done.add(key);
      for (const oldest of done) {
        if (done.size <= mostKeys) break;
        done.delete(oldest);
      }
    },
  };
}

/**
 * Runs first in the execution that a delivery has started, and remembers the delivery in n8n's static data. Not in the webhook: n8n
 * (2.41.1) makes another workflow of the same data before it saves what a webhook has changed, and that forgets the change; what an
 * execution changes is saved when it ends. Each execution has a copy of its own, of which the last one saved counts: one that finds
 * something else than this process wrote last writes all that this process knows.
 */
export function keepDeliveries(context: IExecuteFunctions, claims: DeliveryClaims): INodeExecutionData[][] {
  const items = context.getInputData();
  // A test of the workflow sends the same delivery again and again.
  if (context.getMode() === 'manual') return [items];
  const scope = scopeDelivery(context, '');
  const data = context.getWorkflowStaticData('node');
  const kept = data['deliveries'];
  const keys = items.flatMap(readKey);
  // That it runs shows that it was stored, whether its sender heard so or not.
  for (const key of keys) claims.end(scopeDelivery(context, key), true);
  const written =
    typeof kept === 'string' && kept === claims.lastWritten(scope)
      ? appendKeys(kept, keys)
      : addKeys(kept, [...claims.listDone(scope), ...keys]);
  data['deliveries'] = written;
  claims.noteWritten(scope, written);
  return [items];
}

function readKey({ json }: INodeExecutionData): string[] {
  const key = json['delivery_key'];
  return typeof key === 'string' ? [key] : [];
}

/** Of the last so many deliveries; a retry comes within five hours. */
export const mostKeys = 1000;

/**
 * Keys that n8n keeps between executions, as one text: what is an object in static data is watched property by property, and
 * saved with every delivery. Oldest first, each of the same length. What is no such text holds nothing. Pure.
 */
export function holdsKey(kept: unknown, key: string): boolean {
  return typeof kept === 'string' && ` ${kept} `.includes(` ${key} `);
}

/** The text with keys that it does not hold behind the others, and without the oldest where there are too many. Pure. */
export function appendKeys(kept: string, keys: readonly string[]): string {
  const added = [...new Set(keys)].filter((key) => key.length === keyLength && !holdsKey(kept, key));
  return [kept, ...added]
    .filter((part) => part !== '')
    .join(' ')
    .slice(-(mostKeys * (keyLength + 1) - 1));
}

/** The text with the keys that it does not hold yet, and without the oldest where there are too many. Pure. */
export function addKeys(kept: unknown, keys: readonly string[]): string {
  const before = typeof kept === 'string' && kept !== '' ? kept.split(' ') : [];
  return [...new Set([...before, ...keys])]
    .slice(-mostKeys)
    .filter((key) => key.length === keyLength)
    .join(' ');
}

/** 22 characters of Base64, 128 bits. */
const keyLength = 22;

/** What a delivery is known again by. JSON quotes every part of an identity, so no two read alike. Pure. */
export function makeDeliveryKey(identity: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(identity), 'utf8')
    .digest('base64url')
    .slice(0, keyLength);
}

/** One node class serves all workflows of a process: a key belongs to the trigger that it was sent to. */
export function scopeDelivery(context: IWebhookFunctions | IExecuteFunctions, key: string): string {
  return `${context.getWorkflow().id}/${context.getNode().id}/${key}`;
}
