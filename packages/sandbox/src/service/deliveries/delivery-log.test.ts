import { once } from 'node:events';

import { deliveryHeaderNames } from '@aftermeet/webhooks';
import { describe, expect, it } from 'vitest';

import { deliverySecret, startDeliveringSandbox } from '../../testing/start-delivering-sandbox.ts';
import { secretPath, startPickyReceiver } from '../../testing/start-picky-receiver.ts';
import { createSandboxClock } from '../clock/sandbox-clock.ts';
import { noJournal } from '../state/journal.ts';
import { createWebhookSender } from './create-webhook-sender.ts';

const minuteMs = 60_000;

describe('the log', () => {
  it('shows every attempt but neither the secret nor the path of the receiver', async () => {
    const receiver = await startPickyReceiver();
    const { deliver, read, steps, waitForAttempts } = await startDeliveringSandbox();
    const id = await deliver(receiver.url);
    await waitForAttempts(1);
    const log = await read('/_sandbox/deliveries');
    expect(JSON.parse(log.text)).toMatchObject({
      deliveries: [
        {
          id,
          event: 'meeting.completed',
          isSigned: true,
          receiver: new URL(receiver.url).origin,
          attempts: [{ at: '2026-07-07T12:00:00.000Z', status: 200 }],
        },
      ],
    });
    const one = await read(`/_sandbox/deliveries/${id}`);
    const page = await read('/_sandbox');
    expect(page.text).toContain('answered 200');
    for (const shown of [log.text, one.text, page.text, JSON.stringify(steps)]) {
      expect(shown).not.toContain(deliverySecret);
      expect(shown).not.toContain(secretPath);
      expect(shown).not.toContain('capability-key');
    }
  });

  it('shows one with its body and headers as they were sent', async () => {
    const receiver = await startPickyReceiver();
    const { deliver, read, waitForAttempts } = await startDeliveringSandbox();
    const id = await deliver(receiver.url);
    await waitForAttempts(1);
    const [arrival] = receiver.arrivals;
    const { text } = await read(`/_sandbox/deliveries/${id}`);
    expect(JSON.parse(text)).toMatchObject({
      delivery: {
        id,
        state: 'delivered',
        body: arrival?.body.toString(),
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': 'aftermeet-sandbox',
          'X-Service-Event': 'meeting.completed',
          'X-Service-Delivery': id,
          'X-Service-Timestamp': '1783425600',
          'X-Service-Signature': arrival?.headers['x-service-signature'],
        },
      },
    });
    expect((await read('/_sandbox/deliveries/unknown')).status).toBe(404);
    expect((await read('/_sandbox/deliveries/..%2f..%2fetc')).status).toBe(404);
  });

  it('shows no headers before the first attempt has ended', async () => {
    const receiver = await startPickyReceiver(() => 'hang');
    const { deliver, read } = await startDeliveringSandbox();
    const id = await deliver(receiver.url);
    await receiver.waitFor(1);
    expect(JSON.parse((await read(`/_sandbox/deliveries/${id}`)).text)).toMatchObject({
      delivery: { state: 'waiting', attempts: [], headers: {} },
    });
  });

  it('delivers again by its route, for a program and for the page', async () => {
    const receiver = await startPickyReceiver();
    const { deliver, post, url, waitForAttempts } = await startDeliveringSandbox();
    const id = await deliver(receiver.url);
    await waitForAttempts(1);
    expect(await post(`/_sandbox/deliveries/${id}/redeliver`)).toEqual({
      status: 200,
      body: { delivery_id: id },
    });
    await waitForAttempts(2);
    const form = await fetch(`${url}/_sandbox/deliveries/${id}/redeliver`, {
      method: 'POST',
      body: new URLSearchParams(),
      redirect: 'manual',
    });
    expect([form.status, form.headers.get('location')]).toEqual([303, '/_sandbox']);
    await waitForAttempts(3);
    expect((await post('/_sandbox/deliveries/unknown/redeliver')).status).toBe(404);
  });

  it('keeps the newest 50 attempts of a delivery', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 410 : 404));
    const { sandbox, deliver, waitForAttempts } = await startDeliveringSandbox();
    const id = await deliver(receiver.url);
    for (let count = 1; count <= 51; count += 1) {
      await waitForAttempts(count);
      if (count < 51) sandbox.redeliver(id);
    }
    const attempts = sandbox.deliveries()[0]?.attempts ?? [];
    expect(attempts).toHaveLength(50);
    expect(attempts.every(({ status }) => status === 404)).toBe(true);
  });

  it('is empty after a reset, which plans nothing more', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 500 : 'hang'));
    const { sandbox, deliver, post, waitForAttempts } = await startDeliveringSandbox();
    await deliver(receiver.url);
    await waitForAttempts(1);
    await deliver(receiver.url);
    await receiver.waitFor(2);
    expect((await post('/_sandbox/reset')).status).toBe(200);
    sandbox.clock.advance(60 * minuteMs);
    expect(sandbox.deliveries()).toEqual([]);
    expect(receiver.arrivals).toHaveLength(2);
    const hanging = receiver.arrivals[1]?.socket;
    if (hanging && !hanging.destroyed) await once(hanging, 'close');
  });

  it('does not show what was under way before a reset as an attempt of a delivery of the same id', async () => {
    const receiver = await startPickyReceiver((number) => (number === 1 ? 'hang' : 200));
    let tried = (): void => {};
    const sender = createWebhookSender({
      names: deliveryHeaderNames(),
      timeoutMs: 1000,
      allowRemoteReceivers: false,
      retryDelaysMs: [],
      resign: true,
      clock: createSandboxClock(Date.now),
      journal: noJournal,
      takeFault: () => undefined,
      observe: () => {
        tried();
      },
    });
    const order = { id: 'd1', meetingId: 'm', event: 'e', url: receiver.url, secret: undefined, body: '{}' };
    sender.send(order);
    await receiver.waitFor(1);
    sender.reset();
    const ended = new Promise<void>((resolve) => {
      tried = resolve;
    });
    sender.send(order);
    await ended;
    expect(sender.list()).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
    expect(sender.list()[0]?.attempts).toHaveLength(1);
    sender.reset();
  });
});
