import { rm } from 'node:fs/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { makeTestFolder } from '../../testing/make-test-folder.ts';
import { openDataFolder } from '../state/open-data-folder.ts';
import { describeKnobs } from './describe-knobs.ts';
import { createKnobStore } from './knob-store.ts';
import { knobsSchema } from './knobs.ts';
import { readKnobs } from './read-knobs.ts';

describe('turning knobs', () => {
  it('changes those that are named and no others', () => {
    const store = createKnobStore({ tagPageSize: 7 });
    store.turn({ tagNameMaxLength: 3 });
    store.turn({ extraFields: true });
    expect(store.read()).toEqual({
      ...knobsSchema.parse({}),
      tagPageSize: 7,
      tagNameMaxLength: 3,
      extraFields: true,
    });
    store.reset();
    expect(store.read()).toEqual({ ...knobsSchema.parse({}), tagPageSize: 7 });
  });

  it('turns none where one of them cannot be turned so', () => {
    const store = createKnobStore();
    expect(() => store.turn({ extraFields: true, tagNameMaxLength: 0 })).toThrow(
      'tagNameMaxLength must be a whole number from 1 to 10000.',
    );
    expect(store.read()).toEqual(knobsSchema.parse({}));
    expect(() => createKnobStore({ tagPageSize: -1 })).toThrow(RangeError);
  });

  it('keeps what was turned over a restart, on top of what the sandbox is started with', async () => {
    const folder = makeTestFolder();
    const open = () => openDataFolder(folder, () => 0).journal;
    const first = open();
    createKnobStore({ tagPageSize: 7 }, first).turn({ tagNameMaxLength: 3 });
    first.close();
    const second = open();
    const store = createKnobStore({ tagPageSize: 8, tagNameMaxLength: 5 }, second);
    expect(store.read()).toMatchObject({ tagPageSize: 8, tagNameMaxLength: 3 });
    store.reset();
    second.close();
    const third = open();
    expect(createKnobStore({}, third).read()).toEqual(knobsSchema.parse({}));
    third.close();
    await rm(folder, { recursive: true });
  });
});

describe('reading knobs', () => {
  const say = (written: Record<string, unknown>) => {
    const reading = readKnobs(written);
    return reading.ok ? 'ok' : reading.message;
  };

  it.each([
    [{ tagColor: 'any' }, /^There is no knob "tagColor": did you mean tagColors\?$/],
    [{ somethingElseAltogether: 1 }, /^There is no knob "somethingElseAltogether": the knobs are sources, /],
    [{ errorShape: 'xml' }, /^errorShape must be "json", "nested", "text"\.$/],
    [{ tagColors: [] }, /^tagColors must be "any" or a list of texts\.$/],
    [{ rateLimit: { requests: 5 } }, /^rateLimit must be null or an object with requests, perSeconds\.$/],
    [{ stateWords: { done: 'x' } }, /^stateWords must be an object with any of new, queued, /],
    [{ searchParameters: { authors: 'q' } }, /four different names/],
    [{ searchParameters: { authors: 'page' } }, /four different names/],
    [{ mcpToolNames: { get_report: 'get_transcript' } }, /another name/],
    [{ deprecation: { since: 'yesterday' } }, /^deprecation must be null or an object with since, sunset\. /],
  ])('refuses %j', (written, message) => {
    expect(say(written)).toMatch(message);
  });

  it('takes a value of any form, but no bottomless one', () => {
    const nest = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(say({ workspaceMetadata: { name: nest(30) } })).toBe('ok');
    expect(say({ workspaceMetadata: { name: nest(50_000) } })).toBe(
      'The knobs may be nested 40 levels deep at most.',
    );
  });

  it('never repeats a value, and never throws', () => {
    const names = fc.constantFrom(
      ...describeKnobs().map(({ name }) => name),
      '__proto__',
      'constructor',
      'x',
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.jsonValue({ maxDepth: 3 })), (written) => {
        const parsed = JSON.parse(JSON.stringify(written)) as Record<string, unknown>;
        expect(typeof say(parsed)).toBe('string');
      }),
      { numRuns: 40 },
    );
    expect(say({ errorShape: 'a secret of mine' })).not.toContain('secret');
    expect(say({ sources: ['x'.repeat(101)] })).not.toContain('xxx');
  });
});

describe('describing knobs', () => {
  it('says of each what it is, what it may be and how it is at first', () => {
    const described = describeKnobs();
    expect(described.map(({ name }) => name)).toEqual(Object.keys(knobsSchema.shape));
    for (const { name, description, values, first } of described) {
      expect(description.length, name).toBeGreaterThan(20);
      expect(values, name).not.toMatch(/undefined|NaN|anything/);
      expect(JSON.parse(first), name).toEqual(knobsSchema.parse({})[name]);
    }
    expect(described.find(({ name }) => name === 'uploadLifetimeHours')).toMatchObject({
      values: 'null or a number above 0 to 87600',
      first: '24',
    });
    expect(described.find(({ name }) => name === 'keyLifetimeSeconds')?.values).toBe(
      'null or a whole number from 1 on',
    );
  });

  it('gives examples that a knob can be turned to', () => {
    for (const { name, examples, first } of describeKnobs()) {
      for (const example of examples) {
        expect(example, name).not.toBe(first);
        expect(readKnobs({ [name]: JSON.parse(example) as unknown }).ok, name).toBe(true);
      }
    }
  });
});
