// How long the messages of a one-hour meeting take to render, from its report as the client has read it: the digest and
// what each destination makes of it, beside reading the report's text, which every recap pays before.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { withFolder } from '../harness/processes.mjs';
import { destinations } from './effects-samples.mjs';
import { describeRounds, interleave, judge, median, percentile, summarise } from './figures.mjs';
import { withProcess } from './processes.mjs';

const usual = { segments: 6000, rounds: 3, times: 60 };
const quick = { segments: 600, rounds: 1, times: 2 };

const floor = "JSON.parse of the report's text";
const recipes = [
  { way: 'slack-recap', name: 'digest and messages for Slack' },
  { way: 'notion-page', name: 'digest and page for Notion' },
  { way: 'email-follow-up', name: 'digest and mail' },
];
const contenders = [{ way: 'parse', name: floor }, { way: 'digest', name: 'digest' }, ...recipes];
const columns = [
  ['median ms', 'medianMs', 2],
  ['p95 ms', 'p95Ms', 2],
  ['× floor', 'medianMs', 2, floor],
  ['first ms', 'firstMs', 2],
];
const bound = '≤ 30 ms';

export async function render({ isQuick }) {
  const plan = isQuick ? quick : usual;
  const text = await fetchReport(plan.segments);
  const results = await withFolder((folder) => {
    const file = join(folder, 'report.json');
    writeFileSync(file, text);
    // Each in a process of its own: the first time of one is cold.
    return interleave(plan.rounds, contenders, ({ way }) =>
      withProcess(['render.mjs', 'measured', { file }], [], async (renderer) => {
        const { firstMs, warm, segments } = await renderer.ask('measure', { way, times: plan.times });
        if (segments !== plan.segments) throw new Error(`the report has ${segments} segments`);
        return { firstMs, medianMs: median(warm), p95Ms: percentile(warm, 0.95) };
      }),
    );
  });
  const { figures, lines } = summarise(results, columns);
  return {
    figures,
    lines: [
      `a report of ${plan.segments} segments (${Math.round(text.length / 1024)} KiB), ${plan.times} times in each round, ${describeRounds(plan)}`,
      ...lines,
      ...recipes.flatMap(({ name }) => [
        judge(`${name}, p95`, figures[name].p95Ms.median, bound),
        judge(`${name}, first`, figures[name].firstMs.median, bound),
      ]),
    ],
  };
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

/** The process that renders: what the first time takes, and each of many after it. */
export async function measured({ file }) {
  const { readReport } = await import('../../packages/client/dist/index.js');
  const { buildDigest } = await import('../../recipes/dist/report/digest.js');
  const text = readFileSync(file, 'utf8');
  const report = readReport('m_1', JSON.parse(text));
  const ways = {
    parse: () => JSON.parse(text),
    digest: () => buildDigest(report),
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
