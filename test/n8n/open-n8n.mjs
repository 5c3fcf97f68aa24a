// A real n8n in a folder of its own: its commands, and its server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';

import { watchMemory } from './watch-memory.mjs';

/**
 * `run` ends when the command has, `start` when the server is ready, `stop` when it has ended; `kill` ends everything that
 * it started at once. What they print goes to files in `folder`. `more` is added to the environment.
 */
export async function openN8n({ node, program }, folder, more = {}) {
  const [port, brokerPort] = await Promise.all([freePort(), freePort()]);
  const url = `http://127.0.0.1:${port}`;
  const env = { ...describeEnvironment({ node, folder, url, port, brokerPort }), ...more };
  const running = new Set();
  let server;
  let commands = 0;

  function launch(words, file, given) {
    const log = openSync(file, 'a');
    // A group of its own: n8n starts another process, and both have to end.
    const child = spawn(node, [program, ...words], {
      env: given,
      cwd: folder,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  }

  /** Never throws for a command that fails: answers its exit code, what it printed, and the most memory it had, in MiB. */
  async function attempt(...words) {
    commands += 1;
    const file = join(folder, `command-${String(commands)}.log`);
    // Not the synchronous way: what n8n talks to runs in this process.
    const command = launch(words, file, env);
    const peakMib = watchMemory(command.pid);
    const [status, signal] = await once(command, 'exit');
    return { status: status ?? signal, text: readFileSync(file, 'utf8'), peakMib: peakMib() };
  }

  async function run(...words) {
    const { status, text, peakMib } = await attempt(...words);
    if (status !== 0) throw new Error(`n8n ${words.join(' ')}: ${text.slice(-2000)}`);
    return { text, peakMib };
  }

  /** `changes` is for this start alone. */
  async function start(changes = {}) {
    const file = join(folder, 'server.log');
    server = launch(['start'], file, { ...env, ...changes });
    const deadline = Date.now() + 180_000;
    while (Date.now() < deadline && server.exitCode === null) {
      const answer = await fetch(`${url}/healthz/readiness`).catch(() => undefined);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`n8n did not start: ${readFileSync(file, 'utf8').slice(-2000)}`);
  }

  async function stop() {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    const timer = setTimeout(() => endGroup(server), 20_000);
    await ended;
    clearTimeout(timer);
    endGroup(server);
  }

  function kill() {
    for (const child of running) endGroup(child);
  }

  return { url, attempt, run, start, stop, kill };
}

function describeEnvironment({ node, folder, url, port, brokerPort }) {
  return {
    PATH: `${dirname(node)}:${process.env.PATH ?? ''}`,
    HOME: folder,
    N8N_USER_FOLDER: folder,
    N8N_ENCRYPTION_KEY: 'a-key-for-tests-alone',
    N8N_HOST: '127.0.0.1',
    N8N_LISTEN_ADDRESS: '127.0.0.1',
    N8N_PORT: String(port),
    N8N_RUNNERS_BROKER_PORT: String(brokerPort),
    WEBHOOK_URL: `${url}/`,
    N8N_DIAGNOSTICS_ENABLED: 'false',
    N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    N8N_TEMPLATES_ENABLED: 'false',
    N8N_SECURE_COOKIE: 'false',
    NODE_ENV: 'production',
    GENERIC_TIMEZONE: 'UTC',
    EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
  };
}

function endGroup({ pid }) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // They have ended already.
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
