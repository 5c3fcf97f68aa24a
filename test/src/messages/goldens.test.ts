import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { Destinations } from '../../../recipes/src/destinations/settings.ts';
import { buildDigest } from '../../../recipes/src/report/digest.ts';
import { goldenReports } from './golden-reports.ts';
import { renderReport } from './read-messages.ts';

/**
 * `AFTERMEET_UPDATE_GOLDENS=1 npx vitest run test/src/messages/goldens` writes them anew. Read what has changed before
 * it is kept.
 */
const isUpdating = process.env['AFTERMEET_UPDATE_GOLDENS'] === '1';
const folder = join(import.meta.dirname, 'goldens');

const destinations: Destinations = {
  slack: { token: 'xoxb-test', channel: 'C0123456789' },
  notion: { token: 'ntn_test', dataSourceId: '5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5c' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: ['ann@example.com'] },
};
const link = 'https://app.example.com/meetings/{meeting_id}';

/** The texts of a recipe's messages, by the ending of the file that holds them. */
function render(use: string, report: string): Readonly<Record<string, string>> {
  const digest = buildDigest(goldenReports[report] ?? expect.fail('no such report'), {
    withTranscript: true,
  });
  const messages = renderReport({ use, with: { link } }, digest, destinations);
  const [first] = messages;
  if (use === 'email-follow-up' && first?.rendered.destination === 'email') {
    const { html, text, ...rest } = first.rendered.message;
    return { html: `${html.trimEnd()}\n`, txt: `${text.trimEnd()}\n`, json: toJson(rest) };
  }
  return { json: toJson(messages.map(({ effect, rendered }) => ({ effect, message: rendered.message }))) };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

describe.each(['slack-recap', 'notion-page', 'email-follow-up'])('%s', (use) => {
  it.each(Object.keys(goldenReports))('of the report %s is what it was', (report) => {
    for (const [ending, text] of Object.entries(render(use, report))) {
      const file = join(folder, `${use}.${report}.${ending}`);
      if (isUpdating) {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, text);
      }
      expect(existsSync(file), `${file} is missing`).toBe(true);
      expect(text).toBe(readFileSync(file, 'utf8'));
    }
  });
});
