import { Agent, request } from 'node:http';

import type { Accepted, Inbox } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { eventText, signedHeaders } from './testing/event-text.ts';
import { createListInbox } from './testing/list-inbox.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { startTestReceiver } from './testing/start-test-receiver.ts';

/** One genuine delivery on a connection of the agent: its status, or the code of what went wrong. */
function postOn(agent: Agent, url: string): Promise<string> {
  const body = eventText();
  return new Promise((resolve) => {
    const outgoing = request(
      `${url}/hooks/default`,
      { agent, method: 'POST', headers: { ...signedHeaders(body), 'content-length': body.length } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
      },
    );
    outgoing.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
    outgoing.end(body);
  });
}

describe('closing', () => {
  it.each([
    ['', 4000],
    [', as many as there may be', 20],
  ])('resets no connection that is in use%s', async (_which, maxConnections) => {
    const { url, receiver } = await startTestReceiver({}, { idleGraceMs: 500, maxConnections });
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const faults: string[] = [];
    let answers = 0;
    let isBusy = (): void => {};
    const busy = new Promise<void>((resolve) => {
      isBusy = resolve;
    });
    const sender = async (): Promise<void> => {
      for (;;) {
        const outcome = await postOn(agent, url);
        answers += 1;
        if (answers === 200) isBusy();
        // The port is closed, so a sender learns of the end.
        if (outcome === 'ECONNREFUSED') return;
        if (outcome !== '200') faults.push(outcome);
      }
    };
    const senders = Array.from({ length: 20 }, sender);
    await busy;
    await receiver.close();
    await Promise.all(senders);
    agent.destroy();
    expect(faults).toEqual([]);
  });

  it('answers what it holds, then takes nothing more', async () => {
    let release = (): void => {};
    const held = new Promise<Accepted>((resolve) => {
      release = () => resolve({ kind: 'accepted', isConflict: false });
    });
    let asked = (): void => {};
    const accepting = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const slow: Inbox = {
      ...createListInbox(),
      accept: () => {
        asked();
        return held;
      },
    };
    const { url, receiver } = await startTestReceiver({ inbox: slow });
    const answer = postDelivery(`${url}/hooks/default`, eventText());
    await accepting;
    const closed = receiver.close();
    release();
    expect((await answer).status).toBe(200);
    await closed;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
});
