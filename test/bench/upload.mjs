// What an upload costs. Of the client: CPU per GiB beside what others take for the same bytes, and peak memory, against a
// server that reads and drops. Of the sandbox: its CPU beside that of a bare server which writes the same bytes to the disk
// and hashes them. Every contender is a process of its own, in interleaved rounds.
import { randomUUID } from 'node:crypto';
import { createReadStream, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withFolder } from '../harness/processes.mjs';
import { describeRounds, interleave, judge, round, summarise } from './figures.mjs';
import { measureUsage, withProcess } from './processes.mjs';

const mib = 1024 ** 2;
const chunkBytes = 20 * mib;
const contendersFile = 'upload-contenders.mjs';

const pipe = 'raw TCP pipe';
const noHash = 'our client without hashing';
const client = 'our client';
const formData = 'fetch + FormData + openAsBlob';
const senders = [
  { name: pipe, way: 'pipe' },
  { name: noHash, way: 'clientNoHash' },
  { name: client, way: 'client' },
  { name: formData, way: 'formData' },
];
const sendingColumns = [
  ['CPU s/GiB', 'cpuSeconds', 2],
  ['× pipe', 'cpuSeconds', 2, pipe],
  ['wall s', 'seconds', 2],
  ['peak MB', 'peakMb', 0],
];
const memory = [
  { name: 'upload of 3 GiB, one chunk in flight', way: 'client', mebibytes: 3072, target: '≤ 130 MB' },
  {
    name: 'upload of 3 GiB, three in flight',
    way: 'client',
    parallel: 3,
    mebibytes: 3072,
    target: '≤ 200 MB',
  },
  { name: 'download of 1 GiB', way: 'download', mebibytes: 1024, target: '≤ 130 MB' },
];

const raw = 'raw body to disk + SHA-256';
const sandbox = 'the sandbox';
const receivers = [
  { name: raw, way: 'rawServer', send: sendRaw },
  { name: sandbox, way: 'sandboxServer', send: sendForms },
];
const receivingColumns = [
  ['CPU ms/chunk', 'cpuMs', 1],
  ['× raw', 'cpuMs', 2, raw],
];
const usualChunks = { warm: 16, count: 16, many: 153 };
const quickChunks = { warm: 2, count: 2, many: 4 };

export async function upload({ isQuick }) {
  const rounds = isQuick ? 1 : 5;
  const sending = await withFolder((folder) => measureSending(folder, rounds, isQuick));
  const receiving = await withFolder((folder) =>
    measureReceiving(folder, rounds, isQuick ? quickChunks : usualChunks),
  );
  return {
    figures: { sending: sending.figures, receiving: receiving.figures },
    lines: [...sending.lines, ...receiving.lines],
  };
}

function measureSending(folder, rounds, isQuick) {
  return withProcess([contendersFile, 'discard'], [], async ({ greeting }) => {
    const files = new Map();
    const measure = async ({ way, parallel, mebibytes = 1024 }) => {
      const size = isQuick ? 64 : mebibytes;
      if (!files.has(size)) files.set(size, await makeFile(folder, size));
      const options = { ...greeting, path: files.get(size), folder, parallel };
      return await withProcess([contendersFile, way, options], [], async (contender) => {
        const { cpuMicros, seconds, peakMb } = await measureUsage(contender, () => contender.ask('move'));
        return { cpuSeconds: cpuMicros / 1e6, seconds, peakMb };
      });
    };
    const results = await interleave(rounds, senders, measure);
    const { figures, lines } = summarise(results, sendingColumns);
    const { figures: timesNoHash } = summarise(results, [['', 'cpuSeconds', 2, noHash]]);
    const { figures: timesClient } = summarise(results, [['', 'cpuSeconds', 2, client]]);
    figures.formData = {
      timesNoHash: timesNoHash[formData].cpuSecondsTimes.median,
      timesClient: timesClient[formData].cpuSecondsTimes.median,
    };
    const large = await interleave(1, memory, measure);
    figures.peakMb = Object.fromEntries([...large].map(([name, [{ peakMb }]]) => [name, round(peakMb)]));
    return {
      figures,
      lines: [
        `sending 1 GiB in chunks of 20 MiB to a server that drops it, ${describeRounds({ rounds })}`,
        ...lines,
        judge(`${noHash}, in times the pipe`, figures[noHash].cpuSecondsTimes.median, '≤ 1.25 ×'),
        judge(`${client}, in times the pipe`, figures[client].cpuSecondsTimes.median, '≤ 2.5 ×'),
        judge(`${formData}, in times ${noHash}`, figures.formData.timesNoHash, '≥ 2.5 ×'),
        `  the same, in times ${client}: ${figures.formData.timesClient} ×`,
        ...memory.map(({ name, target }) => judge(`peak memory, ${name}`, figures.peakMb[name], target)),
      ],
    };
  });
}

/** Holes only, which take no room on the disk; read once, so that every contender finds it in memory. */
async function makeFile(folder, mebibytes) {
  const path = join(folder, `${mebibytes}.mp4`);
  writeFileSync(path, '');
  truncateSync(path, mebibytes * mib);
  for await (const piece of createReadStream(path, { highWaterMark: mib })) void piece;
  return path;
}

async function measureReceiving(folder, rounds, chunks) {
  const measure = ({ way, send }, warm, count) =>
    withProcess([contendersFile, way, { folder }], [], async (server) => {
      const url = `http://127.0.0.1:${server.greeting.port}`;
      if (warm > 0) await send(url, warm);
      const { cpuMicros, peakMb } = await measureUsage(server, () => send(url, count));
      return { cpuMs: cpuMicros / 1000 / count, peakMb };
    });
  const results = await interleave(rounds, receivers, (one) => measure(one, chunks.warm, chunks.count));
  const { figures, lines } = summarise(results, receivingColumns);
  const large = await interleave(1, receivers, (one) => measure(one, 0, chunks.many));
  const { figures: peaks, lines: peakLines } = summarise(large, [['peak MB at 3 GB', 'peakMb', 0]]);
  figures.peakMb = { [raw]: peaks[raw].peakMb.median, [sandbox]: peaks[sandbox].peakMb.median };
  return {
    figures,
    lines: [
      `receiving chunks of 20 MiB, ${describeRounds({ rounds })}`,
      ...lines,
      ...peakLines,
      judge('the sandbox, in times raw', figures[sandbox].cpuMsTimes.median, '≤ 1.3 ×'),
      judge('the sandbox, peak memory', figures.peakMb[sandbox], '≤ 130 MB'),
    ],
  };
}

const chunk = Buffer.alloc(chunkBytes, 'bytes of a meeting, more or less');

async function sendRaw(url, chunks) {
  for (let number = 0; number < chunks; number += 1) await post(`${url}/`, chunk);
  await post(`${url}/end`, '');
}

async function sendForms(url, chunks) {
  const session = { id: randomUUID(), upload_session_id: randomUUID() };
  for (let number = 0; number <= chunks; number += 1) {
    const form = new FormData();
    const fields = {
      ...session,
      chunk_total: chunks + 1,
      chunk_number: number,
      filename: 'call.mp4',
      expected_file_size: chunks * chunkBytes,
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
    form.set('file', new Blob(number < chunks ? [chunk] : []), 'call.mp4');
    const answer = JSON.parse(await post(`${url}/api/video`, form, { 'x-api-key': 'sandbox_key' }));
    if (number === chunks && answer.meeting_id === undefined) throw new Error('the upload came to nothing');
  }
}

async function post(url, body, headers = {}) {
  const answer = await fetch(url, { method: 'POST', body, headers });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${text}`);
  return text;
}
