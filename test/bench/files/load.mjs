// load.mjs WAY [QUEUE_URL]: does one thing and prints the files of ours that it loaded, as JSON.
import { createServer } from 'node:http';
import { register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

const root = new URL('../../../', import.meta.url).href;
const { port1: received, port2: port } = new MessageChannel();
const files = new Set();
received.on('message', (url) => files.add(url));
register('./hooks.mjs', import.meta.url, { data: { port, root }, transferList: [port] });

const [way, queueUrl] = process.argv.slice(2);
const ways = { report: getReport, slack: sendToSlack };
await ways[way]();
// Messages of the hook's thread may still be on their way.
await new Promise((resolve) => {
  setTimeout(resolve, 200);
});
process.stdout.write(JSON.stringify([...files]));
process.exit();

async function getReport() {
  const answer = { followup_v2: { name: 'Sync', status: 'processed', chapters: [], templates: [] } };
  const server = await listen(() => answer);
  const { createClient } = await import(`${root}packages/client/dist/index.js`);
  const client = createClient({ baseUrl: server.url, apiKey: 'key_of_the_bench' });
  const { ready } = await client.reports.get('m_1');
  if (!ready) throw new Error('the report is not ready');
}

async function sendToSlack() {
  const slack = await listen(() => ({ ok: true, channel: 'C000000000', ts: '1795000000.000100' }));
  const { startWorker } = await import(`${root}recipes/dist/index.js`);
  const { createInbox, openBackend, silentLog } = await import(`${root}packages/queue/dist/index.js`);
  const { destinations, oneRecipe, writeAcceptance, writeReport } = await import('../effects-samples.mjs');
  const backend = await openBackend(queueUrl, { namespace: 'files', log: silentLog });
  const inbox = await createInbox(backend, { log: silentLog });
  await new Promise((resolve, reject) => {
    void startWorker({
      backend,
      client: { reports: { get: async (id) => ({ ready: true, report: writeReport(id) }) } },
      recipes: oneRecipe,
      destinations: { slack: { ...destinations.slack, apiUrl: `${slack.url}/api/` } },
      workspace: 'bench',
      policies: {},
      log: silentLog,
      observe(step) {
        if (step.kind === 'effect_sent') resolve();
        if (step.kind === 'effect_failed' || step.kind === 'effect_skipped') reject(new Error(step.cause));
      },
    }).catch(reject);
    void inbox.accept(writeAcceptance('m_1', 'Weekly sync')).catch(reject);
  });
}

async function listen(answer) {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer()));
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${server.address().port}` };
}
