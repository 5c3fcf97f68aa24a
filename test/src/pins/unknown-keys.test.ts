import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { root } from './picture.ts';
import { findUnknownKeys, listProjects } from './unknown-keys.ts';

/** Five seconds on an idle machine. */
const MAX_CHECK_MS = 60_000;

it('finds no unknown key in the sources and the tests of all packages', { timeout: MAX_CHECK_MS }, () => {
  const { files, unknownKeys } = findUnknownKeys(root, listProjects(root));
  expect(unknownKeys).toEqual([]);
  expect(files).toBeGreaterThan(700);
});

describe('findUnknownKeys', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'aftermeet-keys-'));
    mkdirSync(join(folder, 'src'));
    const compilerOptions = { strict: true, exactOptionalPropertyTypes: true, types: [], noEmit: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  function findIn(text: string): readonly string[] {
    const head = `
      interface Policy { readonly concurrency?: number; readonly maxProbes?: number; readonly circuit?: { readonly failures: number } }
      type Policies = { readonly slack?: Partial<Policy>; readonly http?: Partial<Policy> };
      type Message = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'file'; readonly path?: string };
      type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
      declare function omitUndefined<Fields extends object>(fields: Fields): Present<Fields>;
      declare function settle(policies: Policies): void;
      declare const n: number | undefined;
      declare const isOn: boolean;
      export {};`.replaceAll('\n', ' ');
    writeFileSync(join(folder, 'src', 'fixture.ts'), `${head}\n${text}`);
    return findUnknownKeys(folder, ['tsconfig.json']).unknownKeys;
  }

  it('finds the settings that a policy does not read', () => {
    const text = `function toPolicyChange(file: { places?: number; probes?: number }): NonNullable<Policies['slack']> {
  return omitUndefined({
    places: file.places,
    mostProbes: file.probes,
  });
}
settle({ slack: toPolicyChange({}) });`;
    expect(findIn(text)).toEqual(['src/fixture.ts:4 places', 'src/fixture.ts:5 mostProbes']);
  });

  it.each([
    ['a conditional spread', 'settle({ ...(n === undefined ? {} : { slak: {} }) });', 'slak'],
    ['its other branch', 'settle({ ...(n !== undefined ? { slak: {} } : {}) });', 'slak'],
    ['a spread of a condition', 'settle({ ...(isOn && { slak: {} }) });', 'slak'],
    ['a key beside a spread', 'settle({ slak: {}, ...omitUndefined({ http: {} }) });', 'slak'],
    ['a shorthand', 'const places = 1; settle({ http: { ...omitUndefined({ places }) } });', 'places'],
    ['an object in a spread', 'settle({ ...(isOn ? {} : { http: { places: 1 } }) });', 'places'],
    ['a call in a call', 'settle(omitUndefined({ http: isOn ? { places: 1 } : undefined }));', 'places'],
    [
      'an answer',
      'const f = (): Policy => ({ ...(isOn ? {} : { circuit: { failures: 1, places: 1 } }) });',
      'places',
    ],
    ['a promise', 'const f = async (): Promise<Policy> => ({ ...(isOn ? {} : { places: 1 }) });', 'places'],
    ['an array', 'const all: Policy[] = [{ ...(isOn ? {} : { "places": 1 }) }];', '"places"'],
    ['a union', "const m: Message = { kind: 'text', text: '', ...(isOn ? {} : { pth: '' }) };", 'pth'],
  ])('finds a key in %s', (_name, text, key) => {
    expect(findIn(text)).toEqual([`src/fixture.ts:2 ${key}`]);
  });

  it.each([
    ['is known', 'settle({ ...(isOn ? {} : { http: { maxProbes: 1 } }), slack: {} });'],
    ['one of a union has', "const m: Message = { kind: 'file', ...(isOn ? {} : { path: '' }) };"],
    ['any name may be', 'const m: Record<string, number> = { ...(isOn ? {} : { places: 1 }) };'],
    ['no type is said for', 'const m = omitUndefined({ places: n });'],
    ['comes with a variable', 'const more = { places: 1 }; settle({ http: { ...more } });'],
  ])('finds no key that %s', (_name, text) => {
    expect(findIn(text)).toEqual([]);
  });
});
