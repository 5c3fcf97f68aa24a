// Gives a fresh n8n our nodes and everything that they talk to, and plays what has to be so. Answers how many failed.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installN8n } from '../install-n8n.mjs';
import { openN8n } from '../open-n8n.mjs';
import { cleanUpOnSignals } from './clean-up.mjs';
import { installNodes } from './install-nodes.mjs';
import { openWorld } from './open-world.mjs';
import { createReport } from './report.mjs';
import { runShow } from './run-show.mjs';

/** `installed` is the folder of an n8n that is there already; `word` stands in the names of the plays that are wanted; `show` plays them. */
export async function playAll(installed, word = '', { show = runShow } = {}) {
  const programs = installN8n(installed);
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-n8n-proof-'));
  const archive = join(folder, '.n8n-files');
  for (const path of [join(archive, 'exports'), join(folder, 'temporary')]) {
    mkdirSync(path, { recursive: true });
  }
  const world = await openWorld();
  const n8n = await openN8n(programs, folder, describeMore(folder, world));
  const sweep = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const keepQuiet = cleanUpOnSignals(async () => {
    n8n.kill();
    sweep();
    await world.close();
  });
  const report = createReport(word);
  try {
    process.stdout.write(`installed: ${installNodes(folder)}\n`);
    await show({ world, n8n, folder, archive, report });
  } finally {
    await n8n.stop();
    n8n.kill();
    keepLog(folder);
    await world.close();
    sweep();
    keepQuiet();
  }
  return report.finish();
}

/** With N8N_PROOF_LOG, a folder, what the server has printed is kept there. */
function keepLog(folder) {
  const [file, kept] = [join(folder, 'server.log'), process.env.N8N_PROOF_LOG];
  if (kept !== undefined && existsSync(file)) copyFileSync(file, join(kept, 'server.log'));
}

/** What n8n is told besides what every n8n of these tests is. */
function describeMore(folder, { vendors }) {
  const portOf = ({ url }) => Number(new URL(url).port);
  return {
    N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
    // By itself n8n offers no trigger on a folder.
    NODES_EXCLUDE: '[]',
    TMPDIR: join(folder, 'temporary'),
    NODE_OPTIONS: `--require ${join(import.meta.dirname, 'lead-to-stand-ins.cjs')}`,
    AFTERMEET_STAND_INS: JSON.stringify({
      'slack.com': portOf(vendors.slack),
      'api.notion.com': portOf(vendors.notion),
    }),
  };
}
