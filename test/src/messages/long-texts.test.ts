import { readReport } from '@aftermeet/client';
import { expect, it } from 'vitest';

import { renderFollowUp } from '../../../recipes/src/destinations/email/render-follow-up.ts';
import { makeMeetingBody } from '../../../recipes/src/destinations/http/write-meeting-body.ts';
import { renderNotionPage } from '../../../recipes/src/destinations/notion/render-page.ts';
import { renderSlackRecap } from '../../../recipes/src/destinations/slack/render-recap.ts';
import { buildDigest } from '../../../recipes/src/report/digest.ts';
import { isFullRun } from '../support/run-size.ts';

/** What language models write by accident, and what costs some reader of Markdown or HTML far more than it is long. */
const signs = [
  '_',
  ':',
  '：',
  '*',
  '~',
  '`',
  '#',
  '-',
  '–',
  '.',
  '|',
  '>',
  '<',
  '[',
  '(',
  '（',
  '【',
  '\\',
  '@',
  '&',
  '"',
  '1',
  '漢',
  'é',
  'e\u0301',
  '👨‍👩‍👧',
  '\u202e',
  '\u{E0041}',
  '**',
  '~~',
  '・',
  '![[',
  '[a](',
  '](',
  '<b>',
  '<p>',
  '<td>',
  '<ul><li>',
  '<a href="',
  '<!--',
  '&lt;',
  'http://',
  'https://a.b/',
  'www.',
  'a@b.',
  '2*3',
  'C:\\',
];
const blanks = [' ', '\t', '\n', '\u3000', '\u00a0'];
const beginnings = ['[ ] ', '- ', '1. ', '> ', '>1 ', '[a]: x ', '[a]:   ', '<b ', 'a@b.c, '];
const lines = [
  'a:',
  '**a**',
  'Owner: a',
  '1. a',
  '- a\n  - b',
  '|a|',
  '|-|',
  '|a\n|-',
  '```',
  '5. a\n\nb\n',
].map((line) => `${line}\n`);
const parts = [...signs, ...blanks, ...beginnings, ...lines];

const plainSize = 20_000;
/** How many times longer the text is, and how many times more it may cost. A quadratic expression costs the square. */
const [times, maxRatio] = isFullRun ? [50, 150] : [8, 30];
/** A time that is too short to be compared, in microseconds. */
const minCost = 40_000;

it.each(isFullRun ? parts : parts.filter((_part, at) => at % 4 === 0))(
  'costs in proportion to its length: %j',
  (part) => {
    run(part, plainSize / 4);
    // On a loaded machine one measurement says little; what is not in proportion fails each of them.
    let long = 0;
    let allowed = 0;
    for (let measured = 0; measured < 3 && long >= allowed; measured += 1) {
      const short = run(part, plainSize);
      long = run(part, times * plainSize);
      allowed = Math.max(minCost * times, maxRatio * short);
    }
    expect(long).toBeLessThan(allowed);
  },
  120_000,
);

/** The CPU time of reading and rendering a report that has this text everywhere, in microseconds. */
function run(part: string, length: number): number {
  const text = `${part.repeat(Math.ceil(length / part.length))}x`;
  const body = {
    name: text,
    participants: text,
    speakers: [text],
    decisions: [text],
    transcript: [{ speaker: text, text }],
    templates: [
      {
        name: text,
        entities: [
          { name: 'summary', text },
          { name: 'notes', text },
          { name: 'tasks', text },
          { name: 'tasks', text: { actions: [{ text, owner: text, due: text }] } },
        ],
      },
    ],
  };
  const started = process.cpuUsage();
  const digest = buildDigest(readReport('m', body), { withTranscript: true });
  renderSlackRecap(digest);
  renderNotionPage(digest);
  renderFollowUp(digest);
  makeMeetingBody(digest, {
    parts: new Set(['summary', 'decisions', 'tasks', 'sections', 'transcript']),
    hasEmails: true,
  });
  const { user, system } = process.cpuUsage(started);
  return user + system;
}
