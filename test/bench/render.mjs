// How long the messages of a one-hour meeting take to render, from its report as the client has read it: the digest and
// what each destination makes of it, beside reading the report's text, which every recap pays before.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { drawTable, judge, median, percentile, round } from './figures.mjs';
import { startProcess, withFolder } from './processes.mjs';

const usual = { segments: 6000, rounds: 3, times: 60 };
const quick = { segments: 600, rounds: 1, times: 2 };
const targetMs = 30;

const floor = 'parse';
const contenders = [
  { way: floor, title: "JSON.parse of the report's text" },
  { way: 'digest', title: 'digest' },
  { way: 'transcript', title: 'digest with the transcript' },
  { way: 'slack-recap', title: 'digest and messages for Slack', hasTarget: true },
  { way: 'notion-page', title: 'digest and page for Notion', hasTarget: true },
  { way: 'email-follow-up', title: 'digest and mail', hasTarget: true },
];
const destinations = {
  slack: { token: 'xoxb-bench', channel: 'C0123456789' },
  notion: { token: 'ntn_bench', dataSourceId: '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: ['ann@example.com'] },
};

export async function render({ isQuick }) {
  const { segments, rounds, times } = isQuick ? quick : usual;
  const text = await fetchReport(segments);
  const results = new Map(contenders.map(({ way }) => [way, []]));
  await withFolder(async (folder) => {
    const file = join(folder, 'report.json');
    writeFileSync(file, text);
    for (let done = 0; done < rounds; done += 1) {
      for (const { way } of contenders) {
        // Each in a process of its own: the first time of one is cold.
        const renderer = await startProcess('render.mjs', 'measured', { file });
        const result = await renderer.ask('measure', { way, times });
        await renderer.stop();
        if (result.segments !== segments) throw new Error(`the report has ${result.segments} segments`);
        results.get(way).push(result);
      }
    }
  });
  return present(
    results,
    `a report of ${segments} segments (${Math.round(text.length / 1024)} KiB), ${rounds} rounds of ${times}`,
  );
}

/** The report of a long meeting, as the service answers it. */
async function fetchReport(segments) {
  const { createSandbox } = await import('../../packages/sandbox/dist/index.js');
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

function present(results, title) {
  const figures = {};
  const floorMs = median(results.get(floor).flatMap(({ warm }) => warm));
  for (const { way } of contenders) {
    const warm = results.get(way).flatMap((result) => result.warm);
    figures[way] = {
      medianMs: round(median(warm), 2),
      p95Ms: round(percentile(warm, 0.95), 2),
      timesFloor: round(median(warm) / floorMs, 2),
      firstMs: round(median(results.get(way).map(({ firstMs }) => firstMs)), 2),
    };
  }
  const target = { most: targetMs, unit: ' ms' };
  return {
    figures,
    lines: [
      `${title}, Node ${process.versions.node}`,
      ...drawTable(
        ['', 'median ms', 'p95 ms', '× floor', 'first ms'],
        contenders.map(({ way, title: name }) => [name, ...Object.values(figures[way])]),
      ),
      ...contenders
        .filter(({ hasTarget }) => hasTarget)
        .flatMap(({ way, title: name }) => [
          judge(`${name}, p95`, figures[way].p95Ms, target),
          judge(`${name}, first`, figures[way].firstMs, target),
        ]),
    ],
  };
}

/** The process that renders: what the first time takes, and each of many after it. */
export async function measured({ file }) {
  const { readReport } = await import('../../packages/client/dist/index.js');
  const { buildDigest } = await import('../../recipes/dist/report/digest.js');
  const text = readFileSync(file, 'utf8');
  const report = readReport('m_1', JSON.parse(text));
  const ways = {
    parse: () => JSON.parse(text),
    digest: () => buildDigest(report),
    transcript: () => buildDigest(report, { withTranscript: true }),
  };
  return {
    async measure({ way, times }) {
      const run = ways[way] ?? (await openRecipe(way, buildDigest, report));
      const samples = [];
      for (let time = 0; time <= times; time += 1) {
        const startedMs = performance.now();
        run();
        samples.push(performance.now() - startedMs);
      }
      const [firstMs, ...warm] = samples;
      return { firstMs, warm, segments: report.transcript.length };
    },
  };
}

/** Makes every message that a prebuilt recipe makes of one report, as the worker would make them. */
async function openRecipe(use, buildDigest, report) {
  const { expandTarget } = await import('../../recipes/dist/engine/recipe.js');
  const { listPrebuiltRecipes } = await import('../../recipes/dist/index.js');
  const { plan, input } = listPrebuiltRecipes()
    .find(({ id }) => id === use)
    .bind({}, destinations);
  return () => {
    const digest = buildDigest(report, { withTranscript: input.needsTranscript === true });
    const { meetingId, title } = digest;
    const occurrence = '2026-07-07T12:05:00Z';
    const event = {
      kind: 'meeting.completed',
      meetingId,
      title,
      occurrence,
      endpoint: 'default',
      receivedAt: occurrence,
    };
    const messages = plan(event)
      .flatMap((effect) => [effect, ...(input.expand?.(digest, effect) ?? [])])
      .filter(({ target }) => target !== expandTarget)
      .map((effect) => input.render(digest, effect))
      .filter((rendered) => !('skip' in rendered));
    if (messages.length === 0) throw new Error(`${use} makes nothing of the report`);
    return messages;
  };
}
