// `npm run test:nodes`: the n8n nodes in n8n's own engine, and n8n's linter and scanner over their package. Both at the same
// time, each with an install of its own; what they print comes one after the other.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { makeReady, root } from './make-ready.mjs';

// Once, not in both at the same time.
makeReady();
const codes = await Promise.all(['engine', 'lint'].map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

async function run(name) {
  const startedMs = Date.now();
  const child = spawn(process.execPath, [join(root, 'test/n8n', name, 'run.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  process.stdout.write(Buffer.concat(chunks));
  process.stdout.write(`test/n8n/${name}: ${code === 0 ? 'passed' : 'FAILED'} (${seconds} s)\n\n`);
  return code;
}
