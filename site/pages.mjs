// Which files of the repository are pages of the site, and where a link between them leads there. The files stay where
// they are and are read on GitHub as well; docs/README.md is the one list of what there is to read.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const root = join(import.meta.dirname, '..');

/** `https://github.com/OWNER/NAME` */
export const repository = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  .repository.url.replace(/^git\+/, '')
  .replace(/\.git$/, '');

/** All other Markdown, for VitePress. */
export const excluded = [
  '!(README).md',
  '!(docs|recipes)/**/*',
  'recipes/src/!(prebuilt)/**/*',
  '**/dist/**',
];

const pages = [
  'README.md',
  'recipes/README.md',
  ...['docs', 'recipes/n8n', 'recipes/src/prebuilt'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
      .filter((name) => name.endsWith('.md'))
      .toSorted(),
  ),
];

/** Where a page of the repository stands in the site. */
export function toSitePath(page) {
  return page.replace('recipes/src/prebuilt/', 'recipes/').replace(/README\.md$/, 'index.md');
}

/** Where a link leads that stands in a page: to a page of the site, or to the file in the repository. */
export function toSiteLink(link, page) {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [path, anchor] = link.split('#');
  const target = posix.join(posix.dirname(page), decodeURI(path)).replace(/\/$/, '');
  const after = anchor === undefined ? '' : `#${anchor}`;
  const found = isFolder(target) ? findPages(target)[0] : pages.find((each) => each === target);
  if (found !== undefined) return `/${toSitePath(found)}${after}`;
  return `${repository}/${isFolder(target) ? 'tree' : 'blob'}/main/${target}${after}`;
}

/** The rows of docs/README.md as groups; below a folder or its README stand the other pages in it. */
export function readSidebar() {
  const page = 'docs/README.md';
  const rows = readFileSync(join(root, page), 'utf8').matchAll(/^\| (?!you want|---)(.+?) +\| (.+?) +\|$/gm);
  return [...rows].map(([, want, read]) => ({
    text: capitalise(want),
    items: [...read.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, text, link]) => {
      const target = posix.join('docs', link);
      const below = isFolder(target)
        ? target
        : link.endsWith('README.md')
          ? posix.dirname(target)
          : undefined;
      const entry = { text: capitalise(text), link: toSiteLink(link, page) };
      if (below === undefined) return entry;
      const others = findPages(below).filter((each) => each !== target);
      return { ...entry, collapsed: true, items: others.map(toEntry) };
    }),
  }));
}

/** As GitHub makes an anchor of a heading. */
export function toAnchor(title) {
  return title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');
}

/** The source file, from what VitePress knows about the page it renders. */
export function toSourcePath({ realPath, path }) {
  return posix.relative(root.replaceAll('\\', '/'), realPath ?? path);
}

function toEntry(page) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'));
  return { text: title.replaceAll('`', ''), link: `/${toSitePath(page)}` };
}

function findPages(folder) {
  return pages.filter((page) => page.startsWith(`${folder}/`));
}

function isFolder(path) {
  return existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
}

/** Words, not names such as n8n and openapi.json. */
function capitalise(text) {
  return text.replace(/^[a-z]+(?=[ ,]|$)/, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}
