import { randomInt } from 'node:crypto';

import type { Report } from '@aftermeet/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../../recipes/src/report/digest.ts';
import { hostileReport, sampleReport } from '../../../recipes/src/testing/sample-report.ts';
import { checkRendered } from './check-rendered.ts';
import { checkSent } from './check-sent.ts';
import { openWire, type Wire } from './open-wire.ts';
import { renderAlert, renderPeriod, renderReport } from './read-messages.ts';
import { alertCases, digestCase, otherCases, plainCases } from './recipe-cases.ts';

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('Write it down', 'Ship', '任务', 'Задача', '🧪'.repeat(60)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3000 }) },
);

/** Hundreds of everything. */
const hugeReport: fc.Arbitrary<Report> = fc
  .record({
    tasks: fc.array(
      fc.record({
        text: fc.tuple(text, fc.nat()).map(([words, number]) => `${words} ${number}`),
        owner: fc.constantFrom('Ann Lee', 'Bob', 'Олег', '', '<!here>'),
        due: fc.constantFrom('2026-07-10', 'Friday', ''),
      }),
      { minLength: 400, maxLength: 500 },
    ),
    decisions: fc.array(text, { minLength: 100, maxLength: 500 }),
    summary: fc
      .tuple(text, fc.integer({ min: 1, max: 400 }))
      .map(([words, times]) => `${words} `.repeat(times)),
    transcript: fc.array(fc.record({ speaker: fc.constantFrom('Ann Lee', 'Bob'), text }), { maxLength: 800 }),
  })
  .map((fields) => ({ ...sampleReport, ...fields }));

const emptyReport: fc.Arbitrary<Report> = fc.constantFrom('', 'm_1', '\n').map((title) => ({
  meetingId: 'm_1',
  title,
  isTranscriptEmpty: false,
  participants: [],
  speakers: [],
  decisions: [],
  tasks: [],
  transcript: [],
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
}));

const anyReport = fc.oneof(
  { weight: 6, arbitrary: hostileReport },
  { weight: 3, arbitrary: hugeReport },
  { weight: 1, arbitrary: emptyReport },
);

const runs = 12;
/** Their messages go over the wire too, as many of each recipe. */
const shippedReports = 3;
const shippedMessages = 3;

describe('messages of generated reports', () => {
  // Others in each run; the failure names it, and AFTERMEET_SEED brings them again.
  const seed = Number(process.env['AFTERMEET_SEED'] ?? randomInt(2 ** 31));
  let wire: Wire;
  let digests: readonly Digest[];

  beforeAll(async () => {
    wire = await openWire();
    const reports = fc.sample(anyReport, { seed, numRuns: runs });
    digests = reports.map((report) => buildDigest(report, { withTranscript: true }));
  });
  afterAll(() => wire.close());

  it.each([...plainCases, ...otherCases])('%s fits', async (_called, recipe) => {
    const problems: string[] = [];
    for (const [number, digest] of digests.entries()) {
      const found = await checkRendered(renderReport(recipe, digest, wire.destinations));
      problems.push(...found.map((problem) => `report ${number}: ${problem}`));
    }
    expect({ seed, problems }).toEqual({ seed, problems: [] });
  });

  it.each(plainCases)('%s fits as it arrives', async (_called, recipe) => {
    const problems: string[] = [];
    for (const [number, digest] of digests.slice(0, shippedReports).entries()) {
      const messages = renderReport(recipe, digest, wire.destinations).slice(0, shippedMessages);
      const found = await checkSent(await wire.ship(messages));
      problems.push(...found.map((problem) => `report ${number}: ${problem}`));
    }
    expect({ seed, problems }).toEqual({ seed, problems: [] });
  });

  it.each(alertCases)('%s fits as it arrives', async (_called, recipe) => {
    const event = fc.record({
      kind: fc.constantFrom(
        'meeting.failed',
        'meeting.completed',
        'effect.failed',
        'effect.held',
        'service.key_refused',
      ),
      meetingId: hostileReport.map(({ title }) => title),
      occurrence: fc.constantFrom('2026-07-07T12:00:00Z', 'never'),
      endpoint: fc.constant('default'),
      title: hostileReport.map(({ title }) => title),
      reason: hostileReport.map(({ summary = '' }) => summary),
      receivedAt: fc.constant('2026-07-07T12:00:00Z'),
    });
    await fc.assert(
      fc.asyncProperty(event, fc.nat(1000), async (happened, suppressed) => {
        const messages = renderAlert(recipe, happened, wire.destinations, suppressed);
        expect(await checkSent(await wire.ship(messages))).toEqual([]);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it.each([0, 1, runs])('a digest mail of %i of them fits as it arrives', async (count) => {
    const period = { fromMs: 0, toMs: 86_400_000 };
    const messages = renderPeriod(digestCase, digests.slice(0, count), period, wire.destinations);
    const problems = await checkSent(await wire.ship(messages));
    expect({ seed, problems }).toEqual({ seed, problems: [] });
  });
});
