// How long the messages of a one-hour meeting take to render, from its report as the client has read it: the digest and
// what each destination makes of it, beside reading the report's text, which every recap pays before.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createSandbox } from '../../packages/sandbox/dist/index.js';
import { judge } from './judge.mjs';
import { median } from './median.mjs';

const runFile = promisify(execFile);
const usual = { segments: 6000, rounds: 3, times: 60 };
const quick = { segments: 600, rounds: 1, times: 2 };
const targetMs = 30;

const floor = 'parse';
const contenders = [
  { way: floor, title: "JSON.parse of the report's text" },
  { way: 'digest', title: 'digest' },
  { way: 'digest with transcript', title: 'digest with the transcript' },
  { way: 'slack', title: 'digest and messages for Slack', hasTarget: true },
  { way: 'notion', title: 'digest and page for Notion', hasTarget: true },
  { way: 'email', title: 'digest and mail', hasTarget: true },
];

export async function run({ isQuick }) {
  const size = isQuick ? quick : usual;
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-render-'));
  try {
    const file = join(folder, 'report.json');
    const text = await fetchReport(size.segments);
    writeFileSync(file, text);
    const results = new Map(contenders.map(({ way }) => [way, []]));
    const ways = contenders.map(({ way }) => way);
    for (let round = 0; round < size.rounds; round += 1) {
      // To load the modules takes a process longer than everything that is measured quickly.
      for (const lot of isQuick ? [ways] : ways.map((way) => [way])) {
        const measured = await measure(lot, file, size);
        lot.forEach((way, index) => results.get(way).push(measured[index]));
      }
    }
    return present(results, text.length, size);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The report of a long meeting, as the service answers it. */
async function fetchReport(segments) {
  const sandbox = createSandbox({ seed: 7 });
  try {
    const { url } = await sandbox.listen();
    const headers = { 'x-api-key': 'sandbox_key', 'content-type': 'application/json' };
    const recorded = await fetch(`${url}/api/record-meeting`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ link: 'https://zoom.us/j/1', title: 'A long one' }),
    });
    const { meeting_id: meetingId } = await recorded.json();
    sandbox.completeMeeting(meetingId, { scriptId: `long/${segments}` });
    const report = await fetch(`${url}/api/video/report?meeting_id=${meetingId}`, { headers });
    return await report.text();
  } finally {
    await sandbox.close();
  }
}

async function measure(ways, file, { segments, times }) {
  const script = join(import.meta.dirname, 'render', 'measure.mjs');
  const { stdout } = await runFile(process.execPath, [script, file, String(times), ...ways]);
  const measured = JSON.parse(stdout);
  const wrong = measured.find((result) => result.segments !== segments);
  if (wrong !== undefined) throw new Error(`the report has ${wrong.segments} segments, not ${segments}`);
  return measured;
}

function present(results, length, { segments, rounds, times }) {
  const figures = { targetMs };
  const floorMs = median(results.get(floor).flatMap(({ warm }) => warm));
  const lines = [
    `a report of ${segments} segments (${Math.round(length / 1024)} KiB), ${rounds} rounds of ${times}, Node ${process.versions.node}`,
    `  ${''.padEnd(36)} median ms   p95 ms   × floor   first ms`,
  ];
  for (const { way, title, hasTarget = false } of contenders) {
    const rounded = results.get(way);
    const warm = rounded.flatMap((result) => result.warm);
    const row = {
      medianMs: round2(median(warm)),
      p95Ms: round2(percentile(warm, 0.95)),
      timesFloor: round2(median(warm) / floorMs),
      firstMs: round2(median(rounded.map(({ firstMs }) => firstMs))),
      messages: rounded[0].messages,
      bytes: rounded[0].bytes,
    };
    figures[way] = row;
    const columns = [
      row.medianMs.toFixed(2).padStart(9),
      row.p95Ms.toFixed(2).padStart(8),
      row.timesFloor.toFixed(2).padStart(9),
      row.firstMs.toFixed(2).padStart(10),
    ].join(' ');
    const verdicts = [
      judge(row.p95Ms < targetMs, `p95 < ${targetMs} ms`),
      judge(row.firstMs < targetMs, `first < ${targetMs} ms`),
    ];
    lines.push(`  ${title.padEnd(36)} ${columns}${hasTarget ? verdicts.join('') : ''}`);
  }
  return { figures, lines };
}

function percentile(numbers, share) {
  return numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * share) - 1];
}

function round2(value) {
  return Math.round(value * 100) / 100;
}
