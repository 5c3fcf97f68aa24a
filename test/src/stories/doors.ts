// The pages that lead into Aftermeet, with every command that stands on them.
import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

import { findFreePort } from '../support/index.ts';
import { type Page, type Step, startSandbox, type Walk } from './walk-page.ts';

const SECRET = '0f3c9a7be1d24c58a6b7c8d9e0f1a2b3';
const N8N = 'http://localhost:5678/webhook/…/webhook';
const AT_SANDBOX = '--url http://127.0.0.1:4010';

/** What the reader of each page fills in, and the sandbox in place of the service. */
async function fillIn(walk: Walk, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const at = `http://127.0.0.1:${await findFreePort()}`;
  for (const address of ['http://127.0.0.1:8080', 'https://hooks.example.com']) walk.filled.set(address, at);
  walk.filled.set('LINK', 'https://meet.example/abc');
  const PORT = new URL(at).port;
  await startSandbox(walk, { PORT, PUBLIC_URL: at, WEBHOOK_SECRET: SECRET, ...more });
}

/** A meeting that has ended. */
async function haveMeeting(walk: Walk): Promise<void> {
  const at = walk.filled.get('http://127.0.0.1:4010');
  await walk.run(`npx aftermeet sandbox seed --url ${at} --meetings 1`);
  const { output } = await walk.run('npx aftermeet search --json');
  const [, id = ''] = /"meetingId": ?"([^"]+)"/.exec(output) ?? [];
  for (const words of ['MEETING', '<meeting-id>']) walk.filled.set(words, id);
}

/** `npm install …`, where the command says that it is needed, and the lines for aftermeet.yaml. */
async function doAsToldByNew(walk: Walk): Promise<void> {
  const install = walk.filled.get('what to install') ?? '';
  if (install !== '') await walk.run(install);
  const lines = (walk.filled.get('the lines') ?? '').replace('C0123456789', 'C0MEETINGS');
  await writeFile(join(walk.folder, 'aftermeet.yaml'), lines);
}

const told = {
  'what to install': /^Written[\s\S]*?(?:import: (npm install .+)|Use it)/m,
  'the lines': /(recipes:\n.*\n)/,
};

/** n8n in place of which a server of this process answers. */
async function answerAsN8n(walk: Walk): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end('{"status":"accepted"}'));
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  walk.atEnd.push(() => server.close());
  for (const words of [N8N, 'https://n8n.example.com/webhook/…/webhook']) {
    walk.filled.set(words, `http://127.0.0.1:${port}/hook`);
  }
}

const receiver: Step = { command: 'npx aftermeet receiver', until: /^queue /m, sees: /\/hooks\/default/ };
const worker: Step = { command: 'npx aftermeet worker', until: /^queue /m };
const sandbox: Step = {
  command: 'npx aftermeet sandbox',
  more: '--port 0',
  until: /^Ready/m,
  take: { 'http://127.0.0.1:4010': /^SERVICE_BASE_URL=(.*)$/m },
};
const aSecret: Step = { command: 'openssl rand -hex 32', sees: /^[0-9a-f]{64}$/m };
const sendPast: Step = {
  command: 'npx aftermeet send --meeting-id MEETING --wait 60s',
  sees: /answered 200/,
};
const sentToSlack = { command: 'npx aftermeet effects list --state sent', sees: /slack/ };
const record = (hook: string): Step => ({
  command: `npx aftermeet record https://meet.example/abc --title 'Weekly sync' --webhook-url ${hook}`,
  take: { '<meeting-id>': /^Meeting (\S+)$/m },
});
const complete: Step = { command: 'npx aftermeet sandbox complete <meeting-id>', more: AT_SANDBOX };
const deliveries: Step = {
  command: 'npx aftermeet sandbox deliveries',
  more: AT_SANDBOX,
  sees: /delivered.*200|200.*delivered/,
  waits: true,
};

const aDelivery = { '<delivery-id>': /([0-9a-f-]{36})\s*$/m };

/** A meeting that is announced to a server of this process. */
async function recordForN8n(walk: Walk): Promise<void> {
  await answerAsN8n(walk);
  const { output } = await walk.run(
    `WEBHOOK_SECRET=${SECRET} npx aftermeet record https://meet.example/abc --title 'Weekly sync' --webhook-url ${walk.filled.get(N8N)}`,
  );
  walk.filled.set('<meeting-id>', /^Meeting (\S+)$/m.exec(output)?.[1] ?? '');
}

const OWN_RECEIVER = `WEBHOOK_SECRET=${SECRET} node receiver.mjs`;
const ownReceiverPrinted = (sees: RegExp) => ({ command: OWN_RECEIVER, sees });

function notRun(reason: string, ...commands: readonly string[]): readonly Step[] {
  return commands.map((command) => ({ command, notRun: reason }));
}

export const pages: readonly Page[] = [
  {
    file: 'docs/first-steps.md',
    door: 'accounts',
    steps: [
      ...notRun('the first command of the README', 'npm start'),
      { command: 'npx aftermeet init', sees: /Written: \.env\.example/ },
      aSecret,
      {
        command: 'npx aftermeet doctor',
        before: async (walk) => {
          await walk.run('cp .env.example .env');
          await fillIn(walk);
          await haveMeeting(walk);
        },
        sees: /Slack channel C0MEETINGS/,
      },
      { command: 'npx aftermeet search', sees: /TITLE/ },
      { command: 'npx aftermeet recipes preview MEETING --html', sees: /\.html/ },
      receiver,
      worker,
      { command: 'npx aftermeet record LINK --endpoint default', sees: /The bot is on its way/ },
      { ...sendPast, proof: sentToSlack },
    ],
  },
  {
    file: 'docs/first-steps.md',
    door: 'host',
    steps: [
      {
        ...aSecret,
        before: (walk) => fillIn(walk, { QUEUE_URL: 'embedded:.aftermeet', ADMIN_TOKEN: `${SECRET}-admin` }),
      },
      receiver,
      worker,
      { command: 'curl http://127.0.0.1:8080/readyz', sees: /ready/ },
      {
        command: 'npx aftermeet send https://hooks.example.com/hooks/default --wait 60s',
        sees: /A worker has taken it/,
      },
      { command: 'npx aftermeet doctor', sees: /Nothing has failed/ },
    ],
  },
  { file: 'docs/first-steps.md', door: 'n8n', steps: [] },
  {
    file: 'docs/first-steps.md',
    door: 'recipe',
    steps: [
      {
        command: 'npx aftermeet recipes new decisions',
        before: async (walk) => {
          await fillIn(walk);
          await haveMeeting(walk);
        },
        take: told,
      },
      { command: 'npx vitest run', before: doAsToldByNew, sees: /1 passed/ },
      { command: 'npx aftermeet recipes preview MEETING --recipe decisions --html', sees: /\.html/ },
      receiver,
      worker,
      { ...sendPast, proof: { ...sentToSlack, sees: /decisions/ } },
    ],
  },
  {
    file: 'docs/first-steps.md',
    door: 'typescript',
    steps: [
      { command: 'npm install @aftermeet/client @aftermeet/webhooks', notInCheckout: true },
      sandbox,
      {
        command: 'node first.mjs',
        before: (walk) => writeFile(join(walk.folder, 'first.mjs'), walk.blocks('js')[0] ?? ''),
        until: /^recording$/m,
      },
      {
        command: 'npx aftermeet sandbox meetings',
        more: AT_SANDBOX,
        take: { MEETING: /([0-9a-f-]{36})/ },
      },
      {
        command: 'npx aftermeet sandbox complete MEETING',
        more: AT_SANDBOX,
        printed: { command: 'node first.mjs', sees: /ready\nWeekly sync \[/, ends: true },
      },
    ],
  },
  {
    file: 'docs/client.md',
    steps: [
      sandbox,
      {
        command: 'node client.mjs',
        before: async (walk) => {
          await writeFile(join(walk.folder, 'client.mjs'), walk.blocks('ts')[0] ?? '');
          await writeFile(join(walk.folder, 'talk.mp4'), Buffer.from('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom'));
        },
        until: /^/,
      },
      {
        command: 'npx aftermeet sandbox meetings',
        more: AT_SANDBOX,
        sees: /Weekly sync/,
        waits: true,
        take: { '<meeting-id>': /([0-9a-f-]{36})/ },
      },
      {
        ...complete,
        printed: { command: 'node client.mjs', sees: /^Weekly sync \[[\s\S]*Weekly sync$/m, ends: true },
      },
    ],
  },
  {
    file: 'docs/webhooks.md',
    steps: [
      sandbox,
      {
        command: OWN_RECEIVER,
        before: async (walk) => {
          const port = await findFreePort();
          walk.filled.set('http://127.0.0.1:8099', `http://127.0.0.1:${port}`);
          const code = walk.blocks('js')[0]?.replace('listen(8099', `listen(${port}`) ?? '';
          await writeFile(join(walk.folder, 'receiver.mjs'), code);
        },
        until: /^/,
      },
      {
        command: `export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key WEBHOOK_SECRET=${SECRET}`,
      },
      record('http://127.0.0.1:8099/hook'),
      { ...complete, printed: ownReceiverPrinted(/^new: meeting\.completed .* Weekly sync$/m) },
      { ...deliveries, take: aDelivery },
      {
        command: 'npx aftermeet sandbox redeliver <delivery-id>',
        more: AT_SANDBOX,
        printed: ownReceiverPrinted(/^again: /m),
      },
      { command: 'npx aftermeet sandbox faults add bad_signature', more: AT_SANDBOX },
      {
        command: 'npx aftermeet sandbox fail <meeting-id>',
        more: AT_SANDBOX,
        printed: ownReceiverPrinted(/^refused: wrong_signature$/m),
      },
    ],
  },
  {
    file: 'docs/recipes.md',
    steps: [
      {
        command: 'npx aftermeet recipes new customer-note',
        before: async (walk) => {
          await fillIn(walk);
          await haveMeeting(walk);
        },
        take: told,
      },
      { command: 'npx aftermeet recipes check', before: doAsToldByNew, sees: /customer-note/ },
      { command: 'npx aftermeet recipes preview <meeting-id> --html', sees: /\.html/ },
    ],
  },
  {
    file: 'docs/n8n.md',
    steps: [
      { command: 'export N8N_COMMUNITY_PACKAGES_MANAGED_BY_ENV=true' },
      {
        command: `export N8N_COMMUNITY_PACKAGES='[{"name":"n8n-nodes-aftermeet","version":"0.1.0"}]'`,
      },
      ...notRun(
        'in a checkout: packages.test.ts packs the nodes and installs them without their peer',
        'npm ci && npm run build',
        'npm pack --workspace n8n-nodes-aftermeet --ignore-scripts=false --pack-destination /tmp',
        'mkdir -p ~/.n8n/nodes && cd ~/.n8n/nodes',
        'npm install --ignore-scripts --legacy-peer-deps /tmp/n8n-nodes-aftermeet-0.1.0.tgz',
      ),
      {
        command: 'export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key',
        before: async (walk) => {
          await answerAsN8n(walk);
          await fillIn(walk);
        },
      },
      { command: 'export WEBHOOK_SECRET=k8Jq2mZx7Lw4Rt9Vb3Nc6Hs1Yd5Pf0Ga' },
      record(N8N),
      complete,
      deliveries,
      {
        command: 'echo "whsec_$(openssl rand -base64 32)"',
        take: { 'whsec_…': /^(whsec_.{44})$/m },
      },
      {
        command: 'export QUEUE_URL=redis://127.0.0.1:6379 WEBHOOK_SECRET=… N8N_FORWARD_SECRET=whsec_…',
        before: async (walk) => {
          walk.filled.set('redis://127.0.0.1:6379', 'embedded:.aftermeet');
          walk.filled.set('SECRET=…', `SECRET=${SECRET}`);
          const [settings = ''] = walk.blocks('yaml');
          await writeFile(join(walk.folder, 'aftermeet.yaml'), settings);
          await appendFile(join(walk.folder, 'aftermeet.yaml'), '      allow: private\n');
        },
      },
      {
        command: 'export SERVICE_BASE_URL=https://service.example.com SERVICE_API_KEY=…',
        before: async ({ filled }) => {
          filled.set('https://service.example.com', filled.get('http://127.0.0.1:4010') ?? '');
          filled.set('API_KEY=…', 'API_KEY=sandbox_key');
        },
      },
      receiver,
      worker,
      record('http://127.0.0.1:8080/hooks/default'),
      complete,
      { command: 'npx aftermeet deliveries list', sees: /1 sent/, waits: true },
    ],
  },
  {
    file: 'docs/sandbox.md',
    steps: [
      {
        ...sandbox,
        take: { ...sandbox.take, 'http://127.0.0.1:4011': /^arrived at Slack +(.*)$/m },
      },
      { command: 'export SERVICE_BASE_URL=http://127.0.0.1:4010 SERVICE_API_KEY=sandbox_key' },
      { command: 'npx aftermeet sandbox seed --languages en,de', more: AT_SANDBOX, sees: /12/ },
      { command: 'npx aftermeet search', sees: /TITLE/ },
      {
        command: 'npx aftermeet sandbox meetings',
        more: AT_SANDBOX,
        before: recordForN8n,
        sees: /Weekly sync/,
      },
      complete,
      {
        command: 'npx aftermeet sandbox fail <meeting-id> --reason no_audio',
        more: AT_SANDBOX,
        before: recordForN8n,
      },
      { command: 'npx aftermeet sandbox advance 1h', more: AT_SANDBOX },
      { ...deliveries, take: aDelivery },
      { command: 'npx aftermeet sandbox redeliver <delivery-id>', more: AT_SANDBOX },
      { command: 'npx aftermeet sandbox announce <meeting-id> meeting.started', more: AT_SANDBOX },
      ...[
        'status --status 429 --retry-after 2 --on reports.get',
        'drop_after --on recordings.start',
        'duplicate --times always --probability 0.2',
      ].map((fault) => ({ command: `npx aftermeet sandbox faults add ${fault}`, more: AT_SANDBOX })),
      {
        command:
          'npx aftermeet sandbox faults add drop_after --on chat.postMessage --url http://127.0.0.1:4011',
      },
      { command: 'npx aftermeet sandbox faults list', more: AT_SANDBOX, sees: /duplicate/ },
    ],
  },
  {
    file: 'docs/hosting.md',
    steps: notRun(
      'needs root and systemd; no test reads the unit of this page',
      'systemctl enable --now aftermeet-receiver@1 aftermeet-receiver@2',
      "systemctl reload 'aftermeet-receiver@*'",
      'systemctl restart aftermeet-receiver@1',
    ),
  },
  { file: 'README.md', steps: notRun('.ci/run begins with them', 'npm start', 'npm test') },
  {
    file: 'docs/deploying.md',
    steps: [
      ...notRun(
        'needs Docker: deploy.test.ts reads the files',
        'docker build -f deploy/Dockerfile -t aftermeet .',
        'docker run --rm --read-only --tmpfs /tmp --env-file aftermeet.env aftermeet doctor',
        'docker compose -f deploy/compose.yaml --env-file aftermeet.env up -d --build',
      ),
      ...notRun(
        'needs root and systemd: deploy.test.ts reads the units',
        'sudo git clone https://github.com/aftermeet/aftermeet /opt/aftermeet',
        '(cd /opt/aftermeet && sudo npm ci && sudo npm run build)',
        'sudo install -D -m 600 aftermeet.env /etc/aftermeet/environment',
        'sudo install -D -m 644 aftermeet.yaml /etc/aftermeet/aftermeet.yaml',
        'sudo cp /opt/aftermeet/deploy/systemd/*.service /etc/systemd/system/',
        'sudo systemctl enable --now aftermeet-receiver aftermeet-worker',
      ),
      ...notRun(
        'needs a cluster: deploy.test.ts reads the manifests',
        'kubectl create namespace aftermeet',
        'kubectl -n aftermeet create secret generic aftermeet --from-env-file=aftermeet.env',
        'kubectl apply -k deploy/kubernetes',
      ),
    ],
  },
];
