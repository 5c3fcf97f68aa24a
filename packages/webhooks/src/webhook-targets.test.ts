import { describe, expect, it } from 'vitest';

import { deriveSecret, isCapabilityKey } from './derive-secret.ts';
import { createWebhookTargets, type WebhookTargetOptions } from './webhook-targets.ts';

const MASTER = 'b71c0f5e9a3d48627d1e0c9f8a7b6c5d';
const NEWEST = 'whsec_0123456789abcdef';

function find(options: Partial<WebhookTargetOptions> = {}) {
  return createWebhookTargets({
    publicUrl: 'https://hooks.example',
    endpoints: new Map([['sales', { secrets: [NEWEST, 'whsec_fedcba9876543210'] }]]),
    newKey: () => 'k1',
    ...options,
  });
}

const unsigned = new Map([['sales', { secrets: [], unsigned: 'accept' as const }]]);

describe('the target of a recording', () => {
  it('is the address of the endpoint with its newest secret', () => {
    expect(find()('sales', { kind: 'recording' })).toEqual({
      ok: true,
      url: 'https://hooks.example/hooks/sales',
      secret: NEWEST,
    });
  });

  it('has one slash behind a public address that ends in one', () => {
    const target = find({ publicUrl: 'https://hooks.example/' })('sales', { kind: 'recording' });
    expect(target).toMatchObject({ ok: true, url: 'https://hooks.example/hooks/sales' });
  });

  it('is none where the secret, or the master secret, is the empty text of an unset variable', () => {
    const endpoints = new Map([['sales', { secrets: [''] }]]);
    expect(find({ endpoints, masterSecret: '' })('sales', { kind: 'recording' })).toMatchObject({
      ok: false,
    });
  });

  it('is an address and a secret of its own, with a master secret', () => {
    expect(find({ masterSecret: MASTER })('sales', { kind: 'recording' })).toEqual({
      ok: true,
      url: 'https://hooks.example/hooks/sales/k1',
      secret: '7276de1317ce74beca7fbe42ef045d6513f41ffc3b0eb839a997ebabe2fabb69',
    });
  });

  it('needs a secret', () => {
    const endpoints = new Map([['sales', { secrets: [] }]]);
    expect(find({ endpoints })('sales', { kind: 'recording' })).toEqual({
      ok: false,
      problem: 'The endpoint sales has no secret: give it one, or set WEBHOOK_MASTER_SECRET.',
    });
  });
});

describe('the target of an upload', () => {
  it('is an address that cannot be guessed, with its secret', () => {
    const target = find({ masterSecret: MASTER, endpoints: unsigned })('sales', {
      kind: 'upload',
      name: 'u1',
    });
    if (!target.ok) throw new Error(target.problem);
    const key = target.url.slice('https://hooks.example/hooks/sales/'.length);
    expect(key).toMatch(/^u1\.[0-9a-f]{32}$/);
    expect(isCapabilityKey(MASTER, 'sales', key)).toBe(true);
    expect(target.secret).toBe(deriveSecret(MASTER, 'sales', key));
  });

  it('is the same for the same name, and a new one for each upload without a name', () => {
    let count = 0;
    const newKey = () => `k${(count += 1)}`;
    const targets = find({ masterSecret: MASTER, endpoints: unsigned, newKey });
    const named = { kind: 'upload', name: 'u1' } as const;
    expect(targets('sales', named)).toEqual(targets('sales', named));
    expect(targets('sales', { kind: 'upload' })).not.toEqual(targets('sales', { kind: 'upload' }));
  });

  it.each([
    ['an endpoint that takes only signed deliveries', { masterSecret: MASTER }],
    ['no master secret', { endpoints: unsigned }],
  ])('is refused, and the refusal names the setting: %s', (_name, options) => {
    const target = find(options)('sales', { kind: 'upload' });
    expect(target).toMatchObject({ ok: false });
    expect(JSON.stringify(target)).toContain(
      'set endpoints.sales.unsigned to accept in aftermeet.yaml, with WEBHOOK_MASTER_SECRET',
    );
  });
});

describe('an unknown endpoint', () => {
  it.each(['toString', '__proto__', '', 'x'.repeat(1000), '../admin'])('is refused: %j', (name) => {
    expect(find()(name, { kind: 'recording' })).toMatchObject({ ok: false });
  });

  it('is refused with the names of the known endpoints', () => {
    expect(find()('sale', { kind: 'recording' })).toEqual({
      ok: false,
      problem: 'There is no endpoint "sale" (sales).',
    });
    expect(find({ endpoints: new Map() })('sale', { kind: 'upload' })).toEqual({
      ok: false,
      problem: 'There is no endpoint "sale" (there is none: set WEBHOOK_SECRET or WEBHOOK_MASTER_SECRET).',
    });
  });
});
