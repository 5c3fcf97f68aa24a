// How many of our own files a process loads for one call of the client, and for one Slack effect on Redis.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { judge } from './judge.mjs';
import { findRedis, startRedis } from './receiver/stores/redis.mjs';

const runFile = promisify(execFile);
const maxFiles = { report: 15, slack: 60 };

export async function run() {
  const figures = { report: await countFiles('report', []) };
  const program = findRedis();
  if (program !== undefined) {
    const store = await startRedis(program, []);
    try {
      figures.slack = await countFiles('slack', [store.url]);
    } finally {
      await store.stop();
    }
  }
  const lines = [`files of ours that are loaded, Node ${process.versions.node}`];
  const titles = { report: 'client.reports.get', slack: 'one Slack effect on Redis' };
  for (const [way, title] of Object.entries(titles)) {
    const count = figures[way];
    const max = maxFiles[way];
    const result =
      count === undefined ? 'left out, there is no redis-server here' : String(count).padStart(5);
    lines.push(
      `  ${title.padEnd(30)} ${result}${count === undefined ? '' : judge(count <= max, `≤ ${max}`)}`,
    );
  }
  return { figures, lines };
}

async function countFiles(way, words) {
  const script = join(import.meta.dirname, 'files', 'load.mjs');
  const { stdout } = await runFile(process.execPath, [script, way, ...words]);
  return JSON.parse(stdout).length;
}
