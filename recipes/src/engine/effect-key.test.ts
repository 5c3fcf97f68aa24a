import { anyCodePoint } from '@aftermeet/test/any-code-point';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { deriveEffectKey, type EffectIdentity, hashTarget } from './effect-key.ts';

const identity: EffectIdentity = {
  workspace: 'active',
  recipe: 'slack-recap',
  eventKind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:00:00Z',
  target: 'C0123456789',
  part: 0,
};

describe('deriveEffectKey', () => {
  it('gives the key it has always given', () => {
    // sha256 of ["active","slack-recap","meeting.completed","m_1","2026-07-07T12:00:00Z","C0123456789",0]
    expect(deriveEffectKey(identity)).toBe(
      '3c3cfe89c3e17161aec3703e7c361d29acc877f72d612566f93e1186a4f81e35',
    );
  });

  it('changes with every field', () => {
    const others: EffectIdentity[] = [
      { ...identity, workspace: 'x' },
      { ...identity, recipe: 'x' },
      { ...identity, eventKind: 'x' },
      { ...identity, meetingId: 'x' },
      { ...identity, occurrence: 'x' },
      { ...identity, target: 'x' },
      { ...identity, part: 1 },
    ];
    expect(new Set([identity, ...others].map(deriveEffectKey)).size).toBe(8);
  });

  it('never gives one key to two identities', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 5 }),
      fc.constantFrom('","', '"', '\\', ',', ''),
    );
    const identities = fc.record({
      workspace: text,
      recipe: text,
      eventKind: text,
      meetingId: text,
      occurrence: text,
      target: text,
      part: fc.nat(3),
    });
    fc.assert(
      fc.property(identities, identities, (one, other) => {
        const isSame = JSON.stringify(Object.values(one)) === JSON.stringify(Object.values(other));
        expect(deriveEffectKey(one) === deriveEffectKey(other)).toBe(isSame);
      }),
    );
  });
});

describe('hashTarget', () => {
  it('hides the address', () => {
    expect(hashTarget('ann@example.com')).toBe(
      '71d4f55f72fa128dfb468a1a3901507c804b74316488744d769d7f4b16696476',
    );
  });
});
