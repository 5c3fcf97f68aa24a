import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { noSummaryText } from '../text/digest-text.ts';
import { formatLocalWhen } from '../text/format-when.ts';
import { plainText } from '../text/plain-text.ts';
import { count } from './count.ts';
import { htmlDecisions } from './html-decisions.ts';
import { type Html, htmlHeading, htmlLink, htmlNote, htmlText } from './mail-page.ts';

/** What is told of one meeting, as text and as HTML that say the same. */
export interface Entry {
  readonly text: string;
  readonly html: Html;
}

const summaryLimits = { lines: 3, length: 400 };
const decisionLimits = { shown: 3, room: 6000 };

/** One meeting of a digest in a few lines: when, the beginning of its summary, its first decisions. Pure. */
export function writeEntry(digest: Digest, timeZone: string, link: string | undefined): Entry {
  const when = digest.startedAt === undefined ? undefined : formatLocalWhen(digest.startedAt, timeZone);
  const facts = [when, ...digest.facts].filter((fact) => fact !== undefined).join(' · ');
  const beginning = digest.isTranscriptEmpty
    ? 'Nothing was transcribed.'
    : cutSummary(plainText(digest.summary));
  const tasks = digest.taskGroups.reduce((sum, group) => sum + group.tasks.length, 0);
  const counts = `${count(tasks, 'task')}, ${count(digest.decisions.length, 'decision')}`;
  const decisions = htmlDecisions(digest.decisions.slice(0, decisionLimits.shown), decisionLimits.room).html;
  return {
    text: [digest.title, facts, beginning, counts, ...(link === undefined ? [] : [`Report: ${link}`])]
      .filter((line) => line !== '')
      .join('\n'),
    html: [
      htmlHeading(digest.title),
      ...(facts === '' ? [] : [htmlNote(facts)]),
      htmlText(beginning),
      ...(decisions === '' ? [] : [decisions]),
      htmlNote(counts),
      ...(link === undefined ? [] : [`<p style="margin:0 0 8px">${htmlLink(link, 'Open the report')}</p>`]),
    ].join('\n'),
  };
}

function cutSummary(summary: string): string {
  const lines = summary.split('\n').filter((line) => line.trim() !== '');
  const beginning = lines.slice(0, summaryLimits.lines).join('\n');
  return cutText(beginning, summaryLimits.length) || noSummaryText;
}
