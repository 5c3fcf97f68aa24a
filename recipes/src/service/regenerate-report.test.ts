import { readWebhookEvent } from '@aftermeet/contract';
import type { EventJob } from '@aftermeet/queue';
import { createSandbox } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import { usualPolicies } from '../pace/policy.ts';
import type { Preparation, Shipment, ShipmentLabel } from '../shipment.ts';
import { useService } from '../testing/use-service.ts';
import { openService } from './regenerate-report.ts';
import type { ServiceOrder } from './service-order.ts';

const house = useService(createSandbox);
const nowMs = Date.parse('2026-07-07T12:05:00.000Z');
const customId = 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d';

type Queued = Map<string, EventJob>;

function prepare(
  queued: Queued,
  changes: Partial<ServiceOrder> = {},
  labelChanges: Partial<ShipmentLabel> = {},
): Promise<Preparation> {
  const { client, meetingId } = house();
  const tools = {
    policies: usualPolicies,
    clock: () => nowMs,
    service: client,
    addEvent: async (id: string, job: EventJob) => void queued.set(id, job),
  };
  const order = { meetingId, template: 'sales-meeting', endpoint: 'sales', ...changes };
  const label = { effectKey: 'e1', target: 'sales-meeting', occurrence: '2026-07-07T12:00:00Z' };
  return openService(tools, 30_000).prepare(order, { ...label, ...labelChanges });
}

async function ship(queued: Queued = new Map(), changes: Partial<ServiceOrder> = {}): Promise<Shipment> {
  const preparation = await prepare(queued, changes);
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

describe('an order for a new report', () => {
  it('is carried out, and told to the recipes of the endpoint as a new occurrence', async () => {
    const queued: Queued = new Map();
    const before = await house().readTemplates();
    expect(await (await ship(queued)).send()).toMatchObject({ result: 'sent' });
    expect(await house().readTemplates()).toEqual([...before, 'sales-meeting']);
    const [[id, job] = []] = queued;
    expect(id).toBe('3d40e50e3d17f99d7a84832852b0bfdb916b4db5b6e199412b01d77e312f8f0a');
    expect(job).toMatchObject({ endpoint: 'sales', receivedAt: '2026-07-07T12:05:00.000Z' });
    const { title } = await house().readDigest();
    expect(readWebhookEvent(new TextEncoder().encode(job?.body))).toMatchObject({
      ok: true,
      event: {
        event: 'meeting.completed',
        meeting_id: house().meetingId,
        timestamp: '2026-07-07T12:05:00.000Z',
        data: { title },
      },
    });
  });

  it('makes nothing where somebody else was first, and tells of it all the same', async () => {
    const { client, meetingId } = house();
    await client.reports.generate({ meeting_id: meetingId, template_name: 'sales-meeting' });
    const before = await house().readTemplates();
    const queued: Queued = new Map();
    expect(await (await ship(queued)).send()).toEqual({ result: 'sent', reference: 'sales-meeting' });
    expect(await house().readTemplates()).toEqual(before);
    expect(queued.size).toBe(1);
  });

  it('is known to be carried out when the answer was lost', async () => {
    house().sandbox.callFaults.add({ kind: 'drop_after', on: 'reports.generate' });
    const queued: Queued = new Map();
    const shipment = await ship(queued);
    const cause = 'it is not known whether the report is being made';
    expect(await shipment.send()).toEqual({ result: 'unknown', cause });
    expect(queued.size).toBe(0);
    expect(await shipment.probe(nowMs)).toEqual({ result: 'found', reference: 'sales-meeting' });
    expect(queued.size).toBe(1);
  });

  it('is not given again because the template is not seen, whatever it should be called', async () => {
    house().sandbox.callFaults.add({ kind: 'empty', on: 'reports.generate' });
    const shipment = await ship(new Map(), { shownAs: 'No such name' });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const cause = 'the report does not show the template, and nobody knows whether the order was taken';
    expect(await shipment.probe(nowMs)).toEqual({ result: 'unsure', cause });
    // A person has said that it was not.
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
  });

  it('is over when the service has taken it, though the report is still being made or cannot be recognised', async () => {
    const { sandbox, client } = house();
    sandbox.knobs.turn({ generateTakesTime: true });
    const orders: unknown[] = [];
    const { templates: _templates, ...nameless } = client;
    const reports = {
      ...client.reports,
      generate: async (...args: Parameters<typeof client.reports.generate>) => {
        orders.push(args);
        return await client.reports.generate(...args);
      },
    };
    const queued: Queued = new Map();
    const carrier = openService(
      {
        policies: usualPolicies,
        clock: () => nowMs,
        service: { ...nameless, reports },
        addEvent: async (id, job) => void queued.set(id, job),
      },
      30_000,
    );
    const order = { meetingId: house().meetingId, template: customId, shownAs: 'wrong', endpoint: 'sales' };
    const preparation = await carrier.prepare(order, { effectKey: 'e1', target: customId });
    const shipment = preparation.result === 'ready' ? preparation.shipment : undefined;
    expect(await shipment?.send()).toMatchObject({ result: 'sent' });
    expect(queued.size).toBe(1);
    // Whoever sees it now waits until it is ready.
    expect(await shipment?.probe(nowMs)).toMatchObject({
      result: 'not_asked',
      cause: 'the report is being made',
    });
    expect(orders).toHaveLength(1);
  });

  it('is told as later than what led to it, whatever our clock says', async () => {
    const queued: Queued = new Map();
    const preparation = await prepare(queued, {}, { occurrence: '2026-07-07T12:06:00.500Z' });
    if (preparation.result === 'ready') await preparation.shipment.send();
    const [job] = queued.values();
    expect(job?.receivedAt).toBe('2026-07-07T12:05:00.000Z');
    expect(JSON.parse(job?.body ?? '')).toMatchObject({ timestamp: '2026-07-07T12:06:00.501Z' });
  });

  it('knows a custom template by the name that the workspace has for it', async () => {
    house().sandbox.callFaults.add({ kind: 'drop_after', on: 'reports.generate' });
    const shipment = await ship(new Map(), { template: customId });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    expect(await shipment.probe(nowMs)).toEqual({ result: 'found', reference: customId });
  });

  it('is looked at again when its event could not be queued', async () => {
    const { client, meetingId } = house();
    const addEvent = () => Promise.reject(new Error('the store is away'));
    const carrier = openService(
      { policies: usualPolicies, clock: () => nowMs, service: client, addEvent },
      5000,
    );
    const order = { meetingId, template: 'sales-meeting', endpoint: 'sales' };
    const preparation = await carrier.prepare(order, { effectKey: 'e1', target: 'sales-meeting' });
    const shipment = preparation.result === 'ready' ? preparation.shipment : undefined;
    const cause = 'the report is made, and its event cannot be queued';
    expect(await shipment?.send()).toEqual({ result: 'unknown', cause, contact: 'none' });
    expect(await shipment?.probe(nowMs)).toEqual({ result: 'not_asked', cause, contact: 'none' });
  });

  it.each([
    [
      402,
      'permanent',
      'the report cannot be made: payment_required (402); the minutes of the plan are used up',
    ],
    [404, 'permanent', 'the report cannot be made: not_found (404)'],
    [409, 'not_sent_retry', 'the report cannot be made: conflict (409)'],
    [429, 'rate_limited', 'the report cannot be made: rate_limited (429)'],
    [500, 'unknown', 'it is not known whether the report is being made'],
  ])('that is answered with %i', async (status, result, cause) => {
    house().sandbox.callFaults.add({ kind: 'status', status, on: 'reports.generate' });
    expect(await (await ship()).send()).toMatchObject({ result, cause });
  });

  it('is not possible without the service', async () => {
    const carrier = openService({ policies: usualPolicies, clock: () => nowMs }, 30_000);
    const order = { meetingId: 'm_1', template: 'daily', endpoint: '' };
    expect(await carrier.prepare(order, { effectKey: 'e1', target: 'daily' })).toMatchObject({
      result: 'permanent',
    });
  });
});
