// n8n's editor in a headless Chromium, by what a user sees and clicks.
import { writeFileSync } from 'node:fs';

import { chromium, selectors } from 'playwright-core';

import { shrinkPng } from '../../pictures/shrink-png.mjs';

const waitMs = 20_000;
const maxBytes = 150_000;

/** `owner` signs in. Pictures go to `pictures`, a folder; without one none are taken. */
export async function openEditor(url, owner, pictures) {
  selectors.setTestIdAttribute('data-test-id');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  page.setDefaultTimeout(waitMs);
  const find = (id) => page.getByTestId(id);
  await page.goto(`${url}/signin`);
  await page.fill('input[name=emailOrLdapLoginId]', owner.email);
  await page.fill('input[name=password]', owner.password);
  await find('form-submit-button').click();
  await page.waitForURL((at) => !at.pathname.startsWith('/signin'));

  /** As "Import from file" does it; answers the nodes that the editor then saves, and what it says of them. */
  async function importFile(path) {
    await page.goto(`${url}/workflow/new`);
    const saving = page.waitForRequest(
      (request) => request.method() === 'POST' && /\/rest\/workflows(?:\?|$)/.test(request.url()),
    );
    await find('workflow-import-input').setInputFiles(path);
    const { nodes } = (await saving).postDataJSON();
    const notes = await page.locator('.el-notification').allInnerTexts();
    return { nodes, notes };
  }

  async function openNode(workflowId, name) {
    await page.goto(`${url}/workflow/${workflowId}`);
    await page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
    await find('ndv').waitFor();
  }

  /** What a resource locator shows. */
  const readLocator = (name) => find(`resource-locator-${name}`).getByTestId('rlc-input').inputValue();

  /** Opens the list of a resource locator; answers its entries, or what it says in their place. */
  async function openList(name) {
    await find(`resource-locator-${name}`).getByTestId('rlc-input').click();
    const entries = page.locator(
      '[data-test-id="rlc-item"]:visible, [data-test-id="rlc-error-container"]:visible',
    );
    await entries.first().waitFor();
    return await entries.allInnerTexts();
  }

  /** The entry of the list that is open. */
  async function choose(name, number) {
    await page.locator('[data-test-id="rlc-item"]:visible').nth(number).click();
    await page.locator('[data-test-id="rlc-item"]:visible').first().waitFor({ state: 'hidden' });
    return await readLocator(name);
  }

  async function waitUntilEmpty(name) {
    const inputs = ['input[data-test-id="rlc-input"]', '[data-test-id="rlc-input"] input'];
    const selector = `[data-test-id="resource-locator-${name}"] :is(${inputs.join(', ')})`;
    await page.waitForFunction((shown) => document.querySelector(shown)?.value === '', selector);
  }

  /** Runs the node that is open, or lets it listen. */
  const execute = () => find('node-execute-button').or(find('trigger-execute-button')).first().click();

  /** What stands in the output once `text` does. */
  async function readOutput(text) {
    await find('output-panel').getByText(text).first().waitFor();
    return await find('output-panel').innerText();
  }

  /** In light and in dark, without the messages that come and go. */
  async function picture(name) {
    if (pictures === undefined) return;
    await page.addStyleTag({ content: '.el-notification { display: none !important }' });
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const png = shrinkPng(await page.screenshot({ animations: 'disabled' }));
      if (png.length > maxBytes) throw new Error(`${name}: ${png.length} bytes`);
      writeFileSync(`${pictures}/${name}${scheme === 'dark' ? '-dark' : ''}.png`, png);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  return {
    page,
    find,
    importFile,
    openNode,
    openList,
    choose,
    waitUntilEmpty,
    execute,
    readOutput,
    picture,
    close: () => browser.close(),
  };
}
