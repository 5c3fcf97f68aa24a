// A headless Chromium, steered over the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/) through
// two pipes: no port, and nothing to install beside the browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const flags = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--remote-debugging-pipe',
];

/**
 * Starts the browser: `CHROMIUM`, or `chromium`. `shoot` resolves with a PNG of one page: `show` is an address or `{ html }`,
 * `crop` a selector of all that is to be seen (the whole page without it), `hide` one of what is not.
 */
export async function openBrowser() {
  const profile = mkdtempSync(join(tmpdir(), 'aftermeet-pictures-'));
  const words = [...flags, `--user-data-dir=${profile}`, 'about:blank'];
  const child = spawn(process.env.CHROMIUM ?? 'chromium', words, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio;
  const waiting = new Map();
  const listeners = new Set();
  let lastId = 0;
  let rest = '';
  output.setEncoding('utf8');
  output.on('data', (chunk) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop();
    for (const text of messages) take(JSON.parse(text));
  });
  function take({ id, result, error, method, params, sessionId }) {
    if (id === undefined) for (const listen of listeners) listen({ method, params, sessionId });
    else if (error === undefined) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(error.message));
    waiting.delete(id);
  }
  const ended = once(child, 'exit').then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the browser ended'));
  });
  function send(method, params = {}, sessionId) {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }
  const nextEvent = (wanted, session) =>
    new Promise((resolve) => {
      const listen = ({ method, sessionId }) => {
        if (method !== wanted || sessionId !== session) return;
        listeners.delete(listen);
        resolve();
      };
      listeners.add(listen);
    });

  async function shoot({
    show,
    crop,
    width,
    scheme = 'light',
    scale = 1.5,
    height = 100,
    longest = 1800,
    hide,
  }) {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    await call('Page.enable');
    await call('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: false,
    });
    await call('Emulation.setEmulatedMedia', {
      features: [{ name: 'prefers-color-scheme', value: scheme }],
    });
    if (typeof show === 'string') {
      const loaded = nextEvent('Page.loadEventFired', sessionId);
      await call('Page.navigate', { url: show });
      await loaded;
    } else {
      const { frameTree } = await call('Page.getFrameTree');
      await call('Page.setDocumentContent', { frameId: frameTree.frame.id, html: show.html });
    }
    const expression = `(() => {
      if (${hide !== undefined}) for (const each of document.querySelectorAll(${JSON.stringify(hide ?? '')})) each.remove();
      const elements = [...document.querySelectorAll(${JSON.stringify(crop ?? 'body')})];
      const boxes = elements.map((element) => element.getBoundingClientRect());
      const x = Math.min(...boxes.map(({ left }) => left));
      const y = Math.min(...boxes.map(({ top }) => top));
      return JSON.stringify({ x: x + scrollX, y: y + scrollY, width: Math.max(...boxes.map(({ right }) => right)) - x,
        height: ${crop === undefined ? 'document.documentElement.scrollHeight' : 'Math.max(...boxes.map(({ bottom }) => bottom)) - y'} });
    })()`;
    const { result } = await call('Runtime.evaluate', { expression });
    const box = JSON.parse(result.value);
    const margin = crop === undefined ? 0 : 10;
    const clip = {
      x: crop === undefined ? 0 : box.x - margin,
      y: crop === undefined ? 0 : box.y - margin,
      width: crop === undefined ? width : box.width + 2 * margin,
      height: Math.min(box.height + 2 * margin, longest),
      scale: 1,
    };
    const { data } = await call('Page.captureScreenshot', {
      format: 'png',
      clip,
      captureBeyondViewport: true,
    });
    await send('Target.closeTarget', { targetId });
    return Buffer.from(data, 'base64');
  }

  return {
    shoot,
    async close() {
      await send('Browser.close').catch(() => {});
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
