import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { expect, it } from 'vitest';

import { root } from './picture.ts';

/** Every page of the project, without its code blocks. */
const pages = new Map(
  execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(root, path)))
    .map((path) => [path, readFileSync(join(root, path), 'utf8').replaceAll(/```.*?```/gs, '')]),
);

/** The anchor that GitHub makes of a heading. */
function toAnchor(heading: string): string {
  return heading
    .replaceAll(/[`*]/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

function listAnchors(page: string): readonly string[] {
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => toAnchor(heading));
  return [...headings, ...[...page.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

function findBroken(path: string, page: string): readonly string[] {
  return [...page.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, target))) return [`${path}: ${link}`];
    const linked = pages.get(target);
    if (anchor === undefined || linked === undefined) return [];
    return listAnchors(linked).includes(anchor) ? [] : [`${path}: ${link}`];
  });
}

it('every link of the documents leads to a file and a heading that are there', () => {
  expect(pages.size).toBeGreaterThan(20);
  expect([...pages].flatMap(([path, page]) => findBroken(path, page))).toEqual([]);
});

it('every path that the documents name is there', () => {
  const named = [...pages].flatMap(([path, page]) =>
    [...page.matchAll(/`((?:packages|recipes|receiver|nodes|test|docs|scripts)\/[\w./-]+)`/g)].map(
      ([, name = '']) => ({ path, name }),
    ),
  );
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(({ name }) => !existsSync(join(root, name)));
  expect(missing.filter(({ name }) => !name.includes('/dist'))).toEqual([]);
});
