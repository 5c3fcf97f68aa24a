// How many of our own files a process loads for one call of the client, and for one Slack effect on Redis.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { judge } from './figures.mjs';
import { onStores } from './stores.mjs';

const runFile = promisify(execFile);

export async function files() {
  const report = await countFiles('report', []);
  const lines = [
    `files of ours that are loaded, Node ${process.versions.node}`,
    judge('client.reports.get', report, { most: 15 }),
  ];
  const onRedis = await onStores(
    'files',
    async ({ store }) => {
      const slack = await countFiles('slack', [store.url]);
      return { figures: slack, lines: [judge('one Slack effect on Redis', slack, { most: 60 })] };
    },
    ['redis'],
  );
  return { figures: { report, slack: onRedis.figures.redis }, lines: [...lines, ...onRedis.lines] };
}

async function countFiles(way, words) {
  const script = join(import.meta.dirname, 'files', 'load.mjs');
  const { stdout } = await runFile(process.execPath, [script, way, ...words]);
  return JSON.parse(stdout).length;
}
