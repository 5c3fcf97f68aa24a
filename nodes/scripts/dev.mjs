// `npm run dev`: builds, and builds again after each change, until Ctrl-C. n8n reads the bundles when it starts.
import { spawnSync } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';

const PAUSE_MS = 200; // An editor writes a file in several steps.

const folder = join(import.meta.dirname, '..');
let timer;

build();
process.stdout.write(
  `Start n8n beside this, and again after a change: N8N_CUSTOM_EXTENSIONS=${join(folder, 'dist')} n8n start\n`,
);
for (const name of ['nodes', 'credentials', 'icons']) {
  watch(join(folder, name), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(build, PAUSE_MS);
  });
}

function build() {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.mjs')], {
    stdio: 'inherit',
  });
  process.stdout.write(status === 0 ? 'built\n' : 'the build failed: what it says is above\n');
}
