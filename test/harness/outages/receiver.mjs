import { root } from '../../../scripts/make-ready.mjs';
import { createProgram, findFreePort } from '../processes.mjs';
import { SECRET } from './load.mjs';

/** An `aftermeet receiver` that keeps its port over its lives: senders know one address. */
export async function createReceiver({ name, folder, queueUrl, logLevel = 'warn' }) {
  const port = await findFreePort();
  const main = `${root}/packages/cli/dist/command/main.js`;
  const program = createProgram({
    name,
    folder,
    words: [main, 'receiver', '--port', String(port), '--json'],
    env: { QUEUE_URL: queueUrl, WEBHOOK_SECRET: SECRET, LOG_LEVEL: logLevel, LOG_FORMAT: 'json' },
  });
  return Object.assign(program, { url: `http://127.0.0.1:${port}` });
}
