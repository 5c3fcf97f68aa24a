// What receiving an upload costs the sandbox: its CPU beside that of a bare server which writes the same bytes to
// the disk and hashes them. Each is a process of its own, in interleaved rounds; who sends is this process.
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { judge } from '../judge.mjs';
import { median } from '../median.mjs';

const mib = 1024 ** 2;
const chunkBytes = 20 * mib;
const mostTimesRaw = 1.3;
const mostMb = 130;

export async function runReceiving({ isQuick }) {
  const [rounds, chunks, mostChunks] = isQuick ? [1, 2, 4] : [7, 16, 153];
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const servers = [];
  const start = async (way) => {
    const server = await startServer(way, folder);
    servers.push(server);
    return server;
  };
  try {
    const [raw, sandbox] = [await start('raw'), await start('sandbox')];
    const perChunk = [];
    // One more, first, for warming up.
    for (let round = 0; round <= rounds; round += 1) {
      const rawMs = await measureCpu(raw, () => sendRaw(raw.port, chunks));
      const sandboxMs = await measureCpu(sandbox, () => sendForms(sandbox.port, chunks));
      if (round > 0) perChunk.push({ rawMs: rawMs / chunks, sandboxMs: sandboxMs / chunks });
    }
    const peaks = [];
    for (const way of ['raw', 'sandbox']) {
      const fresh = await start(way);
      await (way === 'raw' ? sendRaw : sendForms)(fresh.port, mostChunks);
      peaks.push((await fresh.ask()).peakMb);
    }
    return present(perChunk, peaks);
  } finally {
    for (const server of servers) server.stop();
    agent.destroy();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function present(perChunk, [rawMb, sandboxMb]) {
  const of = (read) => median(perChunk.map(read));
  const timesRaw = of(({ rawMs, sandboxMs }) => sandboxMs / rawMs);
  const rows = [
    ['raw body to disk + SHA-256', of(({ rawMs }) => rawMs), 1, rawMb, ''],
    [
      'the sandbox',
      of(({ sandboxMs }) => sandboxMs),
      timesRaw,
      sandboxMb,
      judge(timesRaw <= mostTimesRaw, `≤ ${mostTimesRaw} ×`) + judge(sandboxMb <= mostMb, `≤ ${mostMb} MB`),
    ],
  ];
  const lines = rows.map(([title, ms, times, mb, verdict]) => {
    const numbers = `${ms.toFixed(1).padStart(9)} ${times.toFixed(2).padStart(8)} ${mb.toFixed(0).padStart(9)}`;
    return `  ${title.padEnd(38)} ${numbers}${verdict}`;
  });
  return {
    figures: {
      cpuMsPerChunk: Number(rows[1][1].toFixed(1)),
      timesRaw: Number(timesRaw.toFixed(2)),
      peakMb: Math.round(sandboxMb),
    },
    lines: [
      `receiving chunks of 20 MiB, median of ${perChunk.length} interleaved rounds; peak memory at 3 GB`,
      `  ${'(of the server)'.padEnd(38)} CPU ms/chunk × raw   peak MB`,
      ...lines,
    ],
  };
}

async function startServer(way, folder) {
  const child = fork(join(import.meta.dirname, 'serve.mjs'), [way, folder]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ${way} ended with ${code}`);
  });
  ended.catch(() => {});
  const hear = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  const { port } = await hear();
  return {
    port,
    ask() {
      child.send('figures');
      return hear();
    },
    stop: () => child.kill(),
  };
}

async function measureCpu(server, send) {
  const before = await server.ask();
  await send();
  return (await server.ask()).cpuMs - before.cpuMs;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const bytes = Buffer.alloc(chunkBytes, 'bytes of a meeting, more or less');
const boundary = 'a-boundary-of-the-bench';

async function sendRaw(port, chunks) {
  for (let number = 0; number < chunks; number += 1) await post(port, '/', {}, [bytes]);
  await post(port, '/end', {}, []);
}

async function sendForms(port, chunks) {
  const session = { id: randomUUID(), upload_session_id: randomUUID() };
  for (let number = 0; number <= chunks; number += 1) {
    const fields = {
      ...session,
      chunk_total: chunks + 1,
      chunk_number: number,
      filename: 'call.mp4',
      expected_file_size: chunks * chunkBytes,
    };
    const pieces = makeForm(fields, number < chunks ? bytes : Buffer.alloc(0));
    const headers = {
      'x-api-key': 'sandbox_key',
      'content-type': `multipart/form-data; boundary=${boundary}`,
    };
    const answer = JSON.parse(await post(port, '/api/video', headers, pieces));
    if (number === chunks && answer.meeting_id === undefined) throw new Error('the upload came to nothing');
  }
}

function makeForm(fields, file) {
  const head = (rest) => `--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`);
  const begin = `${texts.join('')}${head('name="file"; filename="call.mp4"')}`;
  return [Buffer.from(begin), file, Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function post(port, path, headers, pieces) {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const sending = request({
    port,
    path,
    agent,
    method: 'POST',
    headers: { ...headers, 'content-length': length },
  });
  for (const piece of pieces) sending.write(piece);
  sending.end();
  const [answer] = await once(sending, 'response');
  let text = '';
  for await (const piece of answer.setEncoding('utf8')) text += piece;
  if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}: ${text}`);
  return text;
}
