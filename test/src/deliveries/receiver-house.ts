import type { Log } from '@aftermeet/queue';
import { createReceiver, type ReceiverOptions } from '@aftermeet/receiver';
import { expect } from 'vitest';

import { freshBody, genuine, jobIdOf, NOW_MS, SECRET, toBytes } from './delivery-text.ts';
import { createListInbox, type ListInbox } from './list-inbox.ts';
import type { RawAnswer } from './raw-answer.ts';
import { openConnection, type RawConnection } from './raw-connection.ts';

/** What became of an attack: the answer to it, and whether its connection took a genuine delivery after it. */
interface Aftermath {
  readonly status: number | 'no answer';
  readonly body: string;
  readonly answer: RawAnswer | undefined;
  readonly connection: 'open' | 'closed';
}

/** A receiver with an inbox of this process, and what the tests of its answers share. */
export interface ReceiverHouse {
  readonly port: number;
  readonly inbox: ListInbox;
  /** Lines of the log, fields included. */
  readonly lines: string[];
  connect(): RawConnection;
  /**
   * Sends the bytes, takes one answer, and then a genuine delivery over the same connection: it must be answered as if
   * nothing had been, or the connection must be closed. At last a genuine delivery over a new one must be taken.
   * Whatever else is stored but these two and `mayStore` fails the test.
   */
  attack(bytes: Buffer, mayStore?: readonly Buffer[]): Promise<Aftermath>;
  /** Closes the receiver while connections of the test are still open. */
  closeReceiver(): Promise<void>;
  close(): Promise<void>;
}

export async function openHouse(options: Partial<ReceiverOptions> = {}): Promise<ReceiverHouse> {
  const inbox = createListInbox();
  const lines: string[] = [];
  const record = (fields: object, text: string): void => {
    lines.push(`${text} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: record, info: record, warn: record, error: record };
  const receiver = createReceiver({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox,
    log,
    nowMs: () => NOW_MS,
    idleGraceMs: 0,
    ...options,
  });
  const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  const connections = new Set<RawConnection>();

  function connect(): RawConnection {
    const connection = openConnection(port);
    connections.add(connection);
    return connection;
  }

  async function attack(bytes: Buffer, mayStore: readonly Buffer[] = []): Promise<Aftermath> {
    inbox.forget();
    const connection = connect();
    connection.send(bytes);
    const answer = await connection.next();
    const next = freshBody();
    connection.send(toBytes(genuine(next)));
    const second = await connection.next();
    if (second !== undefined) expect(second).toMatchObject({ status: 200, body: acceptedBody(next) });
    connection.destroy();
    connections.delete(connection);

    const last = freshBody();
    const other = openConnection(port);
    other.send(toBytes(genuine(last)));
    expect(await other.next()).toMatchObject({ status: 200, body: acceptedBody(last) });
    other.destroy();
    const known = [...mayStore, next, last].map(String);
    expect(inbox.bodies().filter((body) => !known.includes(body))).toEqual([]);
    return {
      status: answer?.status ?? 'no answer',
      body: answer?.body ?? '',
      answer,
      connection: second === undefined ? 'closed' : 'open',
    };
  }

  return {
    port,
    inbox,
    lines,
    connect,
    attack,
    closeReceiver: () => receiver.close(),
    close: async () => {
      for (const connection of connections) connection.destroy();
      await receiver.close();
    },
  };
}

export function acceptedBody(body: Uint8Array, address = 'default'): string {
  return `{"status":"accepted","id":"${jobIdOf(body, address)}"}`;
}

export function refusedBody(reason: string): string {
  return `{"status":"refused","reason":"${reason}"}`;
}
