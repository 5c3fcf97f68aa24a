import { createClient } from '@aftermeet/client';
import { openBackend } from '@aftermeet/queue';
import { startWorker } from '@aftermeet/recipes';

import { API_KEY, describeInstallation, policies } from './installation.mjs';

// One worker, as `aftermeet worker` starts it, with the run's own policies. It says so once it works.

const { queueUrl, addresses, hasLedger } = JSON.parse(process.argv[2]);

const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, writeLines(level)]));

const backend = await openBackend(queueUrl, { log });

/** A ledger that keeps nothing: each effect is always free to be sent. What a worker without a ledger would be. */
const forgetfulLedger = {
  claim: async () => ({ state: 'claimed', fence: 1 }),
  renew: async () => true,
  settle: async () => true,
  read: async () => undefined,
  list: async () => [],
  counts: async () => ({ pending: 0, sending: 0, unknown: 0, sent: 0, skipped: 0, failed: 0, parked: 0 }),
  reopen: async () => undefined,
  decide: async () => undefined,
  sweep: async () => undefined,
  close: async () => undefined,
};

const worker = await startWorker({
  backend,
  client: createClient({ baseUrl: addresses.serviceUrl, apiKey: API_KEY, retries: 0 }),
  ...describeInstallation(addresses, { hasReplies: hasLedger }),
  policies,
  log,
  ledger: hasLedger ? undefined : forgetfulLedger,
});

process.once('SIGTERM', () => void stop());

process.stdout.write('ready\n');

async function stop() {
  await worker.close();
  await backend.close();
  process.exit(0);
}

function writeLines(level) {
  return (fields, text) => {
    const line = { at: new Date().toISOString(), pid: process.pid, level, text, ...fields };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  };
}
