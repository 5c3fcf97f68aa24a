import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import {
  describeWithProgram,
  makeTemporaryFolder,
  openTestStore,
  type TemporaryFolder,
  type TestStore,
} from '../support/index.ts';
import { type AftermeetProcess, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, type Services, startServices } from './services.ts';

const TOKEN = 'console-token-0123456789';
const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>"onx=\u202E';
const SOON = 20_000;

const note = `
export default {
  name: 'note',
  description: 'Mails a partner.',
  on: ['meeting.completed'],
  run: ({ report }) => [
    { destination: 'email', to: 'cleo@partner.example', subject: report.title, markdown: report.summary },
  ],
};
`;

const settingsFile = `
recipes:
  note: { use: ./note.mjs }
  recap: { use: slack-recap, with: { channel: C0RECAP, sections: [outcome, summary, decisions, tasks] } }
  people: { use: slack-recap, when: { title: 'HR*' }, with: { channel: C0PEOPLE } }
mail: { internal_domains: [example.com] }
`;

/** As a person walks through it, in a real browser: what is covered over HTTP elsewhere is not repeated. */
describeWithProgram('chromium', 'a walk through the console', () => {
  let store: TestStore;
  let services: Services;
  let folder: TemporaryFolder;
  let receiver: AftermeetProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let isChannelMissing = true;
  let hostileId = '';
  const running: AftermeetProcess[] = [];
  /** What should not have happened. */
  const faults: string[] = [];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    store = await openTestStore('redis');
    services = await startServices({
      slack: () =>
        isChannelMissing ? { status: 200, body: { ok: false, error: 'channel_not_found' } } : 'pass',
    });
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(config, settingsFile);
    await writeFile(join(folder.path, 'note.mjs'), note);
    const environment = {
      ...services.settings,
      QUEUE_URL: store.queueUrl,
      AFTERMEET_CONFIG: config,
      WEBHOOK_SECRET: SECRET,
      ADMIN_TOKEN: TOKEN,
    };
    receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    running.push(receiver, await startAftermeet(['worker'], environment));
    browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(SOON);
    watch(page);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await Promise.all(running.map((each) => each.end('SIGKILL')));
    await services.close();
    await store.dispose();
    folder.remove();
  });

  const origin = (): string => receiver.facts['url'] ?? '';

  function watch(watched: Page): void {
    watched.on('dialog', (dialog) => {
      faults.push(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
    watched.on('request', (request) => {
      const isOwn = request.url().startsWith(origin()) || request.url().startsWith('about:srcdoc');
      if (!isOwn) faults.push(`a request to ${request.url()}`);
    });
    watched.on('console', (message) => {
      const { url } = message.location();
      // The login answers 401, a meeting that no worker has taken yet 404; browsers ask for an icon by themselves.
      const isExpected =
        message.text().includes('status of 401') ||
        url.endsWith('/favicon.ico') ||
        (message.text().includes('status of 404') && url.includes('/console/meetings/'));
      if (message.type() === 'error' && !isExpected) faults.push(`${message.text()} at ${url}`);
    });
  }

  async function meet(title?: string): Promise<string> {
    const meetingId = await services.completeMeeting(undefined, title);
    expect(await deliver(`${origin()}/hooks/default`, meetingId, SECRET, title)).toBe(200);
    return meetingId;
  }

  /** Loads an address until it shows a text: sooner than the page changes by itself. */
  async function loadUntil(path: string, text: string | RegExp): Promise<void> {
    await expect
      .poll(
        async () => {
          await page.goto(`${origin()}/console${path}`);
          return await page.getByText(text).count();
        },
        { timeout: SOON, interval: 100 },
      )
      .toBeGreaterThan(0);
  }

  const title = (): Promise<string | null> => page.getByRole('heading', { level: 1 }).textContent();

  it('is entered by keyboard, with the right token alone', async () => {
    await page.goto(`${origin()}/console/attention`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('a-wrong-token');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('This is not the ADMIN_TOKEN.');
    await page.keyboard.press('Tab');
    await page.keyboard.type(TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/attention');
    expect(await title()).toBe('Needs you');
    expect(await page.getByText('Nothing needs you.').count()).toBe(1);
  });

  it('leads from the list to the way of a meeting, and to why a recipe did not take it', async () => {
    await meet();
    await loadUntil('', 'waits for approval');
    await loadUntil('', /channel_not_found/);
    await page.getByRole('link', { name: 'Story meeting' }).click();
    expect(await title()).toBe('Story meeting');
    const text = await page.locator('main').innerText();
    expect(text).toContain('delivery meeting.completed at the endpoint default');
    expect(text).toContain('recap to slack: failed');
    expect(text).toMatch(/people .*HR/);
    await page.getByRole('link', { name: /What each recipe sees/ }).click();
    const recipes = await page.locator('main').innerText();
    expect(recipes).toMatch(/people\s+does not take this meeting/);
    expect(recipes).toMatch(/no .*HR.*Story meeting/);
    await page.getByRole('link', { name: 'The meeting' }).click();
    expect(await title()).toBe('Story meeting');
  });

  it('repairs a failed message with its button', async () => {
    await page.getByRole('link', { name: 'Needs you' }).click();
    await page.getByRole('link', { name: 'See to it of recap to slack' }).click();
    isChannelMissing = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    expect(await page.getByRole('status').textContent()).toBe('it is tried again');
    await page.getByRole('link', { name: 'Its meeting' }).click();
    await expect
      .poll(
        async () => {
          await page.reload();
          return await page.locator('main').innerText();
        },
        { timeout: SOON, interval: 100 },
      )
      .toContain('recap to slack: sent');
  });

  it('shows a draft as its reader sees it, and sends it with another subject', async () => {
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByRole('link', { name: /See to it/ }).click();
    await page.getByRole('link', { name: /approve or discard it/ }).click();
    const mail = page.frameLocator('iframe').locator('body');
    expect(await mail.innerText()).toContain('You receive this mail because');
    expect(await page.getByLabel('Recipient').inputValue()).toBe('cleo@partner.example');
    await page.getByLabel('Subject').fill('What we agreed');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('status').textContent()).toContain('with another subject, a worker sends it');
    const sent = () => services.vendors.mail.emulator.received().map(({ subject }) => subject);
    await expect.poll(sent, { timeout: SOON }).toEqual(['What we agreed']);
  });

  it('discards a draft', async () => {
    hostileId = await meet(HOSTILE);
    await loadUntil('/approvals', /note to email/);
    await page.getByRole('link', { name: /See to it/ }).click();
    await page.getByRole('link', { name: /approve or discard it/ }).click();
    await page.getByRole('button', { name: 'Discard: it is never sent' }).click();
    expect(await page.getByRole('status').textContent()).toBe('it is discarded, and never sent');
    await loadUntil('/approvals', 'Nothing waits for approval.');
    expect(services.vendors.mail.emulator.received()).toHaveLength(1);
  });

  it('counts a replay before it is done, and says what it did', async () => {
    isChannelMissing = true;
    const id = await meet();
    await loadUntil(`/meetings/${id}`, /recap to slack: failed/);
    isChannelMissing = false;
    await page.getByRole('link', { name: 'Replay', exact: true }).click();
    const minute = (shiftMs: number): string => new Date(Date.now() + shiftMs).toISOString().slice(0, 16);
    await page.getByLabel('Received from (UTC)').fill(minute(-600_000));
    await page.getByLabel('until (UTC)').fill(minute(600_000));
    await page.getByRole('button', { name: 'Say what would happen' }).click();
    expect(await page.locator('main').innerText()).toContain('3 deliveries, 1 effect that is tried.');
    await page.getByRole('button', { name: 'Replay: try 1 effect' }).click();
    expect(await page.locator('main').innerText()).toContain('Done.');
    await loadUntil(`/meetings/${id}`, /recap to slack: sent/);
  });

  it('shows what comes from outside as text: no script, no request elsewhere', async () => {
    const places = ['', `/meetings/${hostileId}`, `/meetings/${hostileId}/recipes`];
    for (const path of places) {
      await page.goto(`${origin()}/console${path}`);
      expect(await page.locator('main').innerText()).toContain('<img src=x onerror=alert(1)>');
      expect(await page.locator('main img, main script').count()).toBe(0);
    }
    expect(faults).toEqual([]);
  });

  it('shows what happens without being loaded again, and waits while a field is used', async () => {
    await page.goto(`${origin()}/console`);
    await page.evaluate('globalThis.isStillHere = true');
    await meet('A live meeting');
    await page.getByRole('link', { name: 'A live meeting' }).waitFor();
    await page.getByLabel('Title or id').fill('half a wo');
    await meet('Another live meeting');
    // A name of the page's own script.
    await expect.poll(() => page.evaluate('isDue'), { timeout: SOON }).toBe(true);
    expect(await page.getByLabel('Title or id').inputValue()).toBe('half a wo');
    expect(await page.getByRole('link', { name: 'Another live meeting' }).count()).toBe(0);
    await page.getByLabel('Title or id').blur();
    await page.getByRole('link', { name: 'Another live meeting' }).waitFor();
    expect(await page.evaluate('globalThis.isStillHere')).toBe(true);
    expect(faults).toEqual([]);
  });

  it.each([
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
    ['dark', 1280],
  ] as const)('is readable by all, %s at %d pixels', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const attention = await effectPages();
    const places = [
      '',
      `/meetings/${hostileId}`,
      `/meetings/${hostileId}/recipes`,
      `/meetings/${hostileId}/replay`,
      '/attention',
      '/waiting',
      '/approvals',
      '/replay',
      '/recipes',
      '/suppressed',
      '/overview',
      ...attention,
    ];
    const found: string[] = [];
    for (const path of places) {
      await page.goto(`${origin()}/console${path}`);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (Number(overflow) > 0) found.push(`${path} scrolls sideways by ${String(overflow)} pixels`);
      // Playwright evaluates beside the page's policy.
      const violations = await page.evaluate(`(async () => {
        ${axe.source};
        const { violations } = await axe.run(document, { iframes: false });
        return violations.map(({ id, impact, nodes }) => impact + ' ' + id + ' ' + nodes[0].html);
      })()`);
      for (const violation of violations as string[])
        if (/^(?:serious|critical) /.test(violation)) found.push(`${path}: ${violation}`);
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  /** The page of one effect, and of its message. */
  async function effectPages(): Promise<readonly string[]> {
    await page.goto(`${origin()}/console/meetings/${hostileId}`);
    const address = await page.locator('a[href^="/console/effects/"]').first().getAttribute('href');
    const path = (address ?? '').replace('/console', '');
    return [path, `${path}/message`];
  }

  it('shows nothing after the logout, not even by the button back', async () => {
    await page.goto(`${origin()}/console/overview`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
    await page.goBack();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
    expect(await page.getByText('Workers of the last day').count()).toBe(0);
    const kept = await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]');
    expect(kept).toEqual(['', 0, 0]);
  });
});
