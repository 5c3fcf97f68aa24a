import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root } from './picture.ts';

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => name !== '' && !name.startsWith('test/vectors/') && existsSync(join(root, name)));

interface Page {
  /** Without what stands in blocks of code. */
  readonly prose: string;
  readonly anchors: ReadonlySet<string>;
}

function readPage(name: string): Page {
  const prose = readFileSync(join(root, name), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const titles = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => title);
  const ids = [...prose.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  return { prose, anchors: new Set([...titles.map(toAnchor), ...ids]) };
}

/** As GitHub makes it of a heading. */
function toAnchor(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');
}

/** What a link within the repository leads to that is not there. */
function findBroken(name: string): readonly string[] {
  const { prose } = readPage(name);
  const links = [...prose.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? name : join(dirname(name), decodeURI(path));
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && file.endsWith('.md') && !readPage(file).anchors.has(anchor);
  });
}

describe('the documentation', () => {
  it.each(pages)('has no link that leads nowhere: %s', (name) => {
    expect(findBroken(name)).toEqual([]);
  });

  it('names no file that is gone, where it says what to edit', () => {
    const { prose } = readPage('docs/changing.md');
    const paths = [...prose.matchAll(/`((?:packages|receiver|recipes|nodes|examples)\/[^`\s]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(60);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
