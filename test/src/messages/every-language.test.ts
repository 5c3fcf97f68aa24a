import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { buildDigest, type Digest } from '../../../recipes/src/report/digest.ts';
import { checkRendered } from './check-rendered.ts';
import { checkSent } from './check-sent.ts';
import { openWire, type Wire } from './open-wire.ts';
import { renderPeriod, renderReport } from './read-messages.ts';
import { digestCase, otherCases, plainCases } from './recipe-cases.ts';
import { readSandboxReports } from './sandbox-reports.ts';

/** Of one report: others of it are alike. */
const mostShipped = 3;

describe('messages of the sample meetings, in every language', () => {
  let wire: Wire;
  let usual: readonly Digest[];
  let chosen: readonly Digest[];
  let long: Digest;

  beforeAll(async () => {
    const [opened, reports] = await Promise.all([openWire(), readSandboxReports()]);
    wire = opened;
    usual = reports.usual.map((report) => buildDigest(report, { withTranscript: true }));
    chosen = usual.filter(({ meetingId }) => reports.chosen.some((report) => report.meetingId === meetingId));
    long = buildDigest(reports.long, { withTranscript: true });
  });
  afterAll(() => wire.close());

  it('has reports of them', () => {
    expect(usual.length).toBeGreaterThanOrEqual(11);
    expect(chosen).toHaveLength(4);
  });

  it.each([...plainCases, ...otherCases])('%s fits', async (_called, recipe) => {
    const problems: string[] = [];
    let count = 0;
    for (const digest of usual) {
      const messages = renderReport(recipe, digest, wire.destinations);
      const found = await checkRendered(messages);
      problems.push(...found.map((problem) => `${digest.title}: ${problem}`));
      count += messages.length;
    }
    expect(problems).toEqual([]);
    expect(count).toBeGreaterThan(0);
  });

  it.each(plainCases)('%s fits as it arrives', async (_called, recipe) => {
    for (const digest of chosen) {
      const messages = renderReport(recipe, digest, wire.destinations).slice(0, mostShipped);
      expect(await checkSent(await wire.ship(messages)), digest.title).toEqual([]);
    }
  });

  it.each(plainCases)('%s of six thousand segments fits as it arrives', async (_called, recipe) => {
    const messages = renderReport(recipe, long, wire.destinations);
    expect(await checkSent(await wire.ship(messages))).toEqual([]);
  });

  it('a digest mail of all of them fits', async () => {
    const period = { fromMs: Date.parse('2026-07-06T06:00:00Z'), toMs: Date.parse('2026-07-07T06:00:00Z') };
    const shipped = await wire.ship(renderPeriod(digestCase, [...usual, long], period, wire.destinations));
    expect(await checkSent(shipped)).toEqual([]);
    expect(shipped.mails).toHaveLength(1);
  });
});
