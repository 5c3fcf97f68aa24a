// What an upload costs. Of the client: CPU per GiB beside what others take for the same bytes, and peak memory, against a
// server that reads and drops. Of the sandbox: its CPU beside that of a bare server which writes the same bytes to the disk
// and hashes them. Every contender is a process of its own, in interleaved rounds.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, truncateSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';

import { drawTable, interleave, judge, median, round, summarise } from './figures.mjs';
import { measureUsage, startProcess, withFolder } from './processes.mjs';

const mib = 1024 ** 2;
const chunkBytes = 20 * mib;
const contendersFile = 'upload-contenders.mjs';

const pipe = 'raw TCP pipe';
const noHash = 'our client without hashing';
const client = 'our client';
const formData = 'fetch + FormData + openAsBlob';
const senders = [
  { name: pipe, way: 'pipe' },
  { name: 'raw TCP pipe + SHA-256', way: 'pipeHash' },
  { name: 'raw TCP, one reused buffer', way: 'reusedBuffer' },
  { name: noHash, way: 'clientNoHash', most: 1.25 },
  { name: client, way: 'client', most: 2.5 },
  { name: formData, way: 'formData' },
];
/** How many times the CPU of our client the last of them takes at least, where neither hashes. */
const leastFormData = 2.5;
const memory = [
  { way: 'client', mebibytes: 3072, title: 'upload of 3 GiB, one chunk in flight', mostMb: 130 },
  { way: 'clientThree', mebibytes: 3072, title: 'upload of 3 GiB, three in flight', mostMb: 200 },
  { way: 'download', mebibytes: 1024, title: 'download of 1 GiB', mostMb: 130 },
];

const raw = 'raw body to disk + SHA-256';
const sandbox = 'the sandbox';
const receivers = [
  { name: raw, way: 'rawServer', send: sendRaw },
  { name: sandbox, way: 'sandboxServer', send: sendForms },
];
const mostTimesRaw = 1.3;
const mostSandboxMb = 130;

export async function upload({ isQuick }) {
  const sending = await withFolder((folder) => measureSending(folder, isQuick));
  const receiving = await withFolder((folder) => measureReceiving(folder, isQuick));
  return {
    figures: { sending: sending.figures, receiving: receiving.figures },
    lines: [...sending.lines, ...receiving.lines],
  };
}

async function measureSending(folder, isQuick) {
  const rounds = isQuick ? 1 : 5;
  const files = new Map();
  const server = await startProcess(contendersFile, 'discard');
  const measure = async ({ way, mebibytes = 1024 }) => {
    const size = isQuick ? 64 : mebibytes;
    if (!files.has(size)) files.set(size, await makeFile(folder, size));
    const contender = await startProcess(contendersFile, way, {
      ...server.greeting,
      path: files.get(size),
      folder,
    });
    try {
      const { cpuMicros, seconds, peakMb } = await measureUsage(contender, () => contender.ask('move'));
      return { cpuSeconds: cpuMicros / 1e6, seconds, peakMb };
    } finally {
      await contender.stop();
    }
  };
  try {
    const results = await interleave(rounds, senders, measure);
    const peaks = [];
    for (const one of memory) peaks.push(round((await measure(one)).peakMb));
    return presentSending(results, peaks, rounds);
  } finally {
    await server.stop();
  }
}

function presentSending(results, peaks, rounds) {
  const { figures, lines } = summarise(results, [
    { key: 'cpuSeconds', title: 'CPU s/GiB', digits: 2 },
    { key: 'cpuSeconds', title: '× pipe', digits: 2, over: pipe },
    { key: 'seconds', title: 'wall s', digits: 2 },
    { key: 'peakMb', title: 'peak MB', digits: 0 },
  ]);
  const timesOf = (name) =>
    round(
      median(
        results.get(formData).map(({ cpuSeconds }, at) => cpuSeconds / results.get(name)[at].cpuSeconds),
      ),
      2,
    );
  figures.formData = { timesNoHash: timesOf(noHash), timesClient: timesOf(client) };
  figures.peakMb = Object.fromEntries(memory.map(({ title }, at) => [title, peaks[at]]));
  return {
    figures,
    lines: [
      `sending 1 GiB in chunks of 20 MiB to a server that drops it, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
      ...lines,
      ...senders
        .filter(({ most }) => most !== undefined)
        .map(({ name, most }) =>
          judge(`${name}, in times the pipe`, figures[name].cpuSecondsTimes.median, { most, unit: ' ×' }),
        ),
      judge(`${formData}, in times ${noHash}`, timesOf(noHash), { least: leastFormData, unit: ' ×' }),
      `  the same, in times ${client}: ${timesOf(client)} ×`,
      ...memory.map(({ title, mostMb }, at) =>
        judge(`peak memory, ${title}`, peaks[at], { most: mostMb, unit: ' MB' }),
      ),
    ],
  };
}

/** Holes only, which take no room on the disk; read once, so that every contender finds it in memory. */
async function makeFile(folder, mebibytes) {
  const path = join(folder, `${mebibytes}.mp4`);
  writeFileSync(path, '');
  truncateSync(path, mebibytes * mib);
  for await (const piece of createReadStream(path, { highWaterMark: mib })) void piece;
  return path;
}

async function measureReceiving(folder, isQuick) {
  const [rounds, chunks, manyChunks] = isQuick ? [1, 2, 4] : [5, 16, 153];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const servers = new Map();
  const start = async (key, way) => {
    servers.set(key, await startProcess(contendersFile, way, { folder }));
    return servers.get(key);
  };
  const target = ({ greeting }) => ({ agent, port: greeting.port });
  try {
    for (const { name, way, send } of receivers) await send(target(await start(name, way)), chunks);
    const results = await interleave(rounds, receivers, async ({ name, send }) => {
      const server = servers.get(name);
      const { cpuMicros } = await measureUsage(server, () => send(target(server), chunks));
      return { cpuMs: cpuMicros / 1000 / chunks };
    });
    const peaks = [];
    for (const { name, way, send } of receivers) {
      const fresh = await start(`${name}, fresh`, way);
      await send(target(fresh), manyChunks);
      peaks.push([name, round((await fresh.ask('usage')).peakMb)]);
    }
    return presentReceiving(results, peaks, rounds);
  } finally {
    agent.destroy();
    for (const server of servers.values()) await server.stop();
  }
}

function presentReceiving(results, peaks, rounds) {
  const { figures, lines } = summarise(results, [
    { key: 'cpuMs', title: 'CPU ms/chunk' },
    { key: 'cpuMs', title: '× raw', digits: 2, over: raw },
  ]);
  figures.peakMb = Object.fromEntries(peaks);
  return {
    figures,
    lines: [
      `receiving chunks of 20 MiB, median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`,
      ...lines,
      ...drawTable(['', 'peak MB at 3 GB'], peaks),
      judge('the sandbox, in times raw', figures[sandbox].cpuMsTimes.median, {
        most: mostTimesRaw,
        unit: ' ×',
      }),
      judge('the sandbox, peak memory', figures.peakMb[sandbox], { most: mostSandboxMb, unit: ' MB' }),
    ],
  };
}

const bytes = Buffer.alloc(chunkBytes, 'bytes of a meeting, more or less');
const boundary = 'a-boundary-of-the-bench';

async function sendRaw(target, chunks) {
  for (let number = 0; number < chunks; number += 1) await post(target, '/', {}, [bytes]);
  await post(target, '/end', {}, []);
}

async function sendForms(target, chunks) {
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
    const answer = JSON.parse(await post(target, '/api/video', headers, pieces));
    if (number === chunks && answer.meeting_id === undefined) throw new Error('the upload came to nothing');
  }
}

function makeForm(fields, file) {
  const head = (rest) => `--${boundary}\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`);
  const begin = `${texts.join('')}${head('name="file"; filename="call.mp4"')}`;
  return [Buffer.from(begin), file, Buffer.from(`\r\n--${boundary}--\r\n`)];
}

async function post({ agent, port }, path, headers, pieces) {
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
