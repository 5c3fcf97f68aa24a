import { type ChildProcess, spawn } from 'node:child_process';
import { once as onceEmitted } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

import { root } from '../pins/picture.ts';
import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';

const script = join(root, 'examples/once/charge.mjs');

describeEachStore("an effect of a program of one's own", (kind) => {
  let store: TestStore;
  let bank: Server;
  let bankUrl: string;
  let charges: string[];
  /** Called with the process between the effect and its record: the answer is not sent yet. */
  let beforeAnswer: () => Promise<void>;

  beforeAll(async () => {
    store = await openTestStore(kind);
    bank = createServer((request, response) => {
      const key = request.url?.slice('/charges/'.length) ?? '';
      if (request.method === 'POST') charges.push(key);
      const answer = (): void => {
        response.statusCode = charges.includes(key) ? 200 : 404;
        response.end(`ch_${key}`);
      };
      if (request.method === 'POST') void beforeAnswer().then(answer);
      else answer();
    });
    bank.listen(0, '127.0.0.1');
    await onceEmitted(bank, 'listening');
    bankUrl = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    charges = [];
    beforeAnswer = async () => {};
  });
  afterAll(async () => {
    bank.close();
    await store.dispose();
  });

  const start = (order: string): ChildProcess =>
    spawn(process.execPath, [script, order], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        QUEUE_URL: store.queueUrl,
        BANK_URL: bankUrl,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });

  async function run(order: string): Promise<unknown> {
    const child = start(order);
    let printed = '';
    child.stdout?.on('data', (data: Buffer) => (printed += String(data)));
    await onceEmitted(child, 'close');
    return JSON.parse(printed);
  }

  it('happens once, also when the program is run again', async () => {
    expect(await run('order-1')).toEqual({ state: 'sent', reference: 'ch_order-1', sentNow: true });
    expect(await run('order-1')).toEqual({ state: 'sent', reference: 'ch_order-1', sentNow: false });
    expect(charges).toEqual(['order-1']);
  });

  it('happens once when the program is killed between the effect and its record', async () => {
    let child: ChildProcess | undefined;
    beforeAnswer = async () => {
      child?.kill('SIGKILL');
      beforeAnswer = async () => {};
    };
    child = start('order-2');
    expect(await onceEmitted(child, 'exit')).toEqual([null, 'SIGKILL']);
    expect(charges).toEqual(['order-2']);
    expect(await run('order-2')).toEqual({ state: 'sent', reference: 'ch_order-2', sentNow: false });
    expect(charges).toEqual(['order-2']);
  });
});
