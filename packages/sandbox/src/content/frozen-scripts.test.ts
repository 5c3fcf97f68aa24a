import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { findScript } from './find-script.ts';
import { contentLanguages } from './languages.ts';
import { listSceneNames } from './scenes/scene-table.ts';

const variants = [0, 1, 17];

/** Hashes of the variants 0, 1 and 17 of each scene, and of the meetings that are no variants. */
const frozen: Readonly<Record<string, readonly string[]>> = {
  'launch-review': ['a1cc07837c1c3ca2'],
  'warehouse-sync': ['6aa07f096755a4aa'],
  'long/430/0': ['55534998f348f374'],
  'en/sales-call': ['cd27adf306e81f62', 'f49bf4e965935144', 'f48520fcc3ae2a3c'],
  'en/retrospective': ['b09cd2c170c4c377', 'd8b1696a12a63a34', '3cfba8af91fcb482'],
  'en/hiring-interview': ['dd56b221b5f237e0', '4063d6bab3e52157', '4f25873faccf75c0'],
  'en/quarterly-planning': ['3ad4646d67459b1a', 'b1a4c0dfaef24826', '6e4a31f7c80585c1'],
  'de/retrospective': ['3201ac951ad6caf1', '4588fad43a08982e', '619c4b286f26c993'],
  'de/support-call': ['faba211492807c65', 'e7ba1c9666efca0b', '5659a8ec8e05c9d7'],
  'de/product-review': ['06d0c9f22250b719', '2cc5c6ff349db6c4', '41c82a8f9e69ca81'],
  'fr/sales-call': ['5fde2feb9d454da7', 'af344a9ae2d43e9f', '67b2f94a469ac91b'],
  'fr/hiring-interview': ['f8769b17ce2a486e', '4e759cdb65bd5515', '0f44978e2a6d8ab0'],
  'es/support-call': ['1938301be1bcdddb', '0160b60ec59083ce', '90ddd1e13d5fb8ee'],
  'es/lecture': ['5bba6fe3953a957b', 'bb1bfc34def0d191', '4dfeda3483ff0a13'],
  'ru/project-sync': ['ce03ea09c32c0faa', '81a3d1c03a7d8d89', '21bf1329eef10908'],
  'ru/doctor-visit': ['a531d552d1b4fd0a', 'fed7e3a837ba841c', 'e131ff43f089b1d7'],
  'ru/lecture': ['ac03e842ef83693e', '8a0a9979ad9c68f5', '113d2dff25c41d0f'],
  'zh/product-review': ['f64d75936b88a4a4', 'da1fe64e0b0d9e4c', '59b30c94dd0e8e04'],
  'zh/hiring-interview': ['15392b6408bd378b', '43c7e147d6813994', '2f0b4993e611a208'],
  'ja/project-sync': ['98f78be2b8be874d', 'fe891642f46e6e9b', '98d1b5462f6bcb26'],
  'ja/sales-call': ['76c17fdb1e4ccdac', 'cf0af8d31ef3902c', '479348459efbfc57'],
};

const why =
  'An id means the same meeting in every release: people compare reports with what an earlier release wrote, and a data ' +
  'folder keeps ids only. Add a scene or an id instead of changing what there is. Where a mistake must be mended, freeze ' +
  'the new hash here and tell of it in CHANGELOG.md.';

const hash = (id: string): string =>
  createHash('sha256')
    .update(JSON.stringify(findScript(id)))
    .digest('hex')
    .slice(0, 16);

it('has every scene frozen', () => {
  const scenes = contentLanguages.flatMap((language) =>
    listSceneNames(language).map((name) => `${language}/${name}`),
  );
  expect(Object.keys(frozen).filter((id) => /^[a-z]{2}\//.test(id))).toEqual(scenes);
});

it.each(Object.entries(frozen))('says the same in %s as in every release', (id, hashes) => {
  const ids = hashes.length === 1 ? [id] : variants.map((variant) => `${id}/${String(variant)}`);
  expect(ids.map(hash), why).toEqual(hashes);
});
