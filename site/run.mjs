// `npm run site`: builds the documentation into site/dist. `npm run site -- --dev` serves it and follows what you write.
// Other words go to VitePress, such as `--base /aftermeet/`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { installOwn } from '../scripts/install-own.mjs';

const folder = import.meta.dirname;
const words = process.argv.slice(2);
installOwn(folder, 'VitePress');
const vitepress = join(folder, 'node_modules/vitepress/bin/vitepress.js');
const command = words.includes('--dev') ? 'dev' : 'build';
const { status } = spawnSync(
  process.execPath,
  [vitepress, command, folder, ...words.filter((word) => word !== '--dev')],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
