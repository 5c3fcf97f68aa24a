// One worker, as `aftermeet worker` starts it, with the run's own policies. It says so once it works.
import { createClient } from '@aftermeet/client';
import { openBackend } from '@aftermeet/queue';
import { startWorker } from '@aftermeet/recipes';

import { API_KEY, describeInstallation, policies } from '../installation.mjs';
import { forgetfulLedger } from './forgetful-ledger.mjs';

const { queueUrl, addresses, hasLedger } = JSON.parse(process.argv[2]);
const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, writeLines(level)]));

// Nobody is left to kill it.
process.on('disconnect', () => process.exit(1));
const backend = await openBackend(queueUrl, { log });
const worker = await startWorker({
  backend,
  client: createClient({ baseUrl: addresses.serviceUrl, apiKey: API_KEY, retries: 0 }),
  ...describeInstallation(addresses, { hasReplies: hasLedger }),
  policies,
  log,
  ...(hasLedger ? {} : { ledger: forgetfulLedger }),
});
process.once('SIGTERM', () => void stop());
process.send('ready');

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
