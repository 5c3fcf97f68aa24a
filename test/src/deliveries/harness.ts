import type { Log } from '@aftermeet/queue';
import { createReceiver, type ReceiverOptions } from '@aftermeet/receiver';
import { expect } from 'vitest';

import { freshBody, genuine, jobIdOf, NOW_MS, SECRET, toBytes } from './delivery-text.ts';
import { createListInbox, type ListInbox } from './inboxes.ts';
import { openConnection, type RawAnswer, type RawConnection } from './raw-connection.ts';

/** The answer to the bytes, and whether the connection accepted a genuine delivery afterwards. */
interface AttackResult {
  readonly status: number | 'no answer';
  readonly body: string;
  readonly answer: RawAnswer | undefined;
  readonly connection: 'open' | 'closed';
}

/** A receiver with an inbox in memory, for the tests of its answers. */
export interface Harness {
  readonly port: number;
  readonly inbox: ListInbox;
  /** Log lines with their fields. */
  readonly lines: string[];
  connect(): RawConnection;
  /**
   * Sends the bytes, reads one answer, and sends a genuine delivery over the same connection, which must be accepted
   * unless the connection is closed. Then a genuine delivery over a new connection must be accepted. Fails when
   * anything but these two and `mayStore` is stored.
   */
  attack(bytes: Buffer, mayStore?: readonly Buffer[]): Promise<AttackResult>;
  /** Closes the receiver while connections of the test are still open. */
  closeReceiver(): Promise<void>;
  close(): Promise<void>;
}

export async function openHarness(
  options: Partial<ReceiverOptions> = {},
  limits: Parameters<typeof createReceiver>[1] = {},
): Promise<Harness> {
  const inbox = createListInbox();
  const lines: string[] = [];
  const record = (fields: object, text: string): void => {
    lines.push(`${text} ${JSON.stringify(fields)}`);
  };
  const log: Log = { debug: record, info: record, warn: record, error: record };
  const receiver = createReceiver(
    {
      endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
      inbox,
      log,
      nowMs: () => NOW_MS,
      ...options,
    },
    { idleGraceMs: 0, ...limits },
  );
  const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  const connections = new Set<RawConnection>();

  function connect(): RawConnection {
    const connection = openConnection(port);
    connections.add(connection);
    return connection;
  }

  async function attack(bytes: Buffer, mayStore: readonly Buffer[] = []): Promise<AttackResult> {
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
