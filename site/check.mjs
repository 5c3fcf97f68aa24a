// `node site/check.mjs [pictures]`, after `npm ci`: builds the site as GitHub Pages serves it, below a path, follows its
// links, and opens pages in a headless Chromium, narrow and wide, light and dark: nothing that axe-core objects to, no page
// wider than the window, no request that fails or leaves. One line per judgement; exit code 1 when one is not as it has to
// be. Pictures of what was opened go to the folder `pictures`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';

import { chromium } from 'playwright-core';

const base = '/aftermeet/';
const opened = [
  'index.html',
  'docs/index.html',
  'docs/first-steps.html',
  'docs/settings.html',
  'docs/n8n.html',
  'docs/operations.html',
  'recipes/index.html',
  'recipes/http-forward.html',
];
const looks = [360, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => ({ width, scheme })));
const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.png': 'image/png' };
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const [pictures] = process.argv.slice(2);

const site = mkdtempSync(join(tmpdir(), 'aftermeet-site-'));
let failed = 0;
let startedMs = Date.now();
try {
  const words = [join(import.meta.dirname, 'run.mjs'), '--base', base, '--outDir', site];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  tell('the site is built', status === 0 ? [] : [stdout, stderr]);
  if (status === 0) {
    const files = readdirSync(site, { recursive: true }).map((name) => name.replaceAll('\\', '/'));
    const html = new Map(
      files
        .filter((name) => name.endsWith('.html'))
        .map((name) => [name, readFileSync(join(site, name), 'utf8')]),
    );
    tell(
      `links of ${html.size} pages`,
      [...html.keys()].flatMap((name) => findBroken(name, html)),
    );
    tell(
      'no comment of the source shows',
      findMatches(html, /(?:<!--|&lt;!--) ?(?:example|options|fields)[^>]*/g),
    );
    tell('nothing is loaded from elsewhere', [
      ...findMatches(html, /<(?:script|img|iframe|source)\b[^>]* src="(?:https?:)?\/\/[^"]*"/g),
      ...findMatches(html, /<link\b[^>]* href="(?:https?:)?\/\/[^"]*"/g),
      ...files
        .filter((name) => name.endsWith('.css'))
        .flatMap(
          (name) => readFileSync(join(site, name), 'utf8').match(/url\(["']?(?:https?:)?\/\/[^)]*\)/g) ?? [],
        ),
    ]);
    await walk([...html.keys()]);
  }
} finally {
  rmSync(site, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

function tell(what, objections) {
  if (objections.length > 0) failed += 1;
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  startedMs = Date.now();
  const verdict = objections.length === 0 ? 'passed' : 'FAILED';
  process.stdout.write(`${[`${what}: ${verdict} (${seconds} s)`, ...objections].join('\n  ')}\n`);
}

function findMatches(html, pattern) {
  return [...html].flatMap(([name, text]) => (text.match(pattern) ?? []).map((match) => `${name}: ${match}`));
}

/** Links within the site whose page, file or anchor is not there. */
function findBroken(name, html) {
  const links = [...html.get(name).matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, link]) => link);
  return links
    .filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const { pathname, hash } = new URL(link, `http://site${base}${name}`);
      if (!pathname.startsWith(base)) return true;
      const path = decodeURI(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
      if (!existsSync(join(site, path))) return true;
      return hash !== '' && !html.get(path)?.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
    })
    .map((link) => `${name}: ${link}`);
}

async function walk(names) {
  const server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    for (const look of looks) {
      const wrong = [];
      const page = await openPage(browser, look, origin, wrong);
      for (const name of opened) {
        await open(page, `${origin}${base}${name}`);
        wrong.push(...(await judge(page)).map((objection) => `${name}: ${objection}`));
        if (pictures === undefined) continue;
        mkdirSync(pictures, { recursive: true });
        const file = `${name.replaceAll('/', '-').replace('.html', '')}-${look.width}-${look.scheme}.png`;
        await page.screenshot({ path: join(pictures, file) });
      }
      tell(`${opened.length} pages at ${look.width} px, ${look.scheme}`, wrong);
      await page.close();
    }
    const wrong = [];
    // Without scripts: all pages in a third of the time.
    const page = await openPage(browser, { ...looks[0], javaScriptEnabled: false }, origin, wrong);
    for (const name of names) {
      await page.goto(`${origin}${base}${name}`);
      wrong.push(...(await findWide(page)).map((objection) => `${name}: ${objection}`));
    }
    tell(`${names.length} pages fit into 360 px`, wrong);
    const faults = [];
    const other = await openPage(browser, looks[0], origin, faults);
    faults.push(...(await search(other, `${origin}${base}`)));
    tell('the search finds a page', faults);
  } finally {
    await browser.close();
    server.close();
  }
}

function serve({ url }, response) {
  const path = decodeURI(new URL(url, 'http://site').pathname);
  const name = posix.join('/', path.slice(base.length)).replace(/\/$/, '/index.html');
  if (!path.startsWith(base) || !existsSync(join(site, name))) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': types[extname(name)] ?? 'application/octet-stream' });
  response.end(readFileSync(join(site, name)));
}

/** What the page asks for in vain, asks of others, or prints as an error is added to `wrong`. */
async function openPage(browser, { width, scheme, javaScriptEnabled = true }, origin, wrong) {
  const page = await browser.newPage({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    javaScriptEnabled,
  });
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || request.url().startsWith('data:');
    if (!isOwn) wrong.push(`a request to ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} for ${response.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  return page;
}

/** Until the page answers to clicks and keys. */
async function open(page, url) {
  await page.goto(url);
  await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined");
}

async function judge(page) {
  await page.addScriptTag({ path: axePath });
  const violations = await page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
    const result = await globalThis.axe.run({ runOnly: tags });
    return result.violations.map(
      ({ id, nodes }) =>
        `${id}, ${nodes.length} times, such as ${nodes[0].html} (${nodes[0].failureSummary})`,
    );
  });
  return [...violations, ...(await findWide(page))];
}

async function findWide(page) {
  const [has, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  return has > window ? [`${has} px wide in a window of ${window} px`] : [];
}

/** The box of results itself is VitePress's: axe-core objects to its roles, which no setting changes. */
async function search(page, url) {
  await open(page, url);
  await page.keyboard.press('Control+k');
  await page.locator('#localsearch-input').fill('systemd');
  await page.locator('.results a').first().click();
  await page.waitForURL((at) => at.pathname !== new URL(url).pathname);
  const word = page.locator('main').getByText('systemd').first();
  return await word.waitFor().then(
    () => [],
    () => [`${page.url()} does not have the word`],
  );
}
