import { templateSlugs } from '@aftermeet/contract';
import { expect, it } from 'vitest';

import { customTemplates } from '../../content/custom-templates.ts';
import { findScript } from '../../content/find-script.ts';
import { contentLanguages } from '../../content/languages.ts';
import { listSceneNames } from '../../content/scenes/scene-table.ts';
import { timeScript } from '../../content/time-script.ts';
import type { Meeting } from '../meeting.ts';
import { listReportBlocks } from './list-report-blocks.ts';

const templateNames = [...templateSlugs.map(({ slug }) => slug), ...customTemplates.map(({ id }) => id)];

const meeting: Meeting = {
  id: 'm',
  title: 'x',
  source: 'gmeet',
  authorId: 'u',
  localDateTime: '2026-07-07T12:00:00.000Z',
  isScheduled: false,
  templates: [],
  tagIds: [],
  status: 'new',
  statusSinceMs: 0,
  isTranscriptEmpty: false,
  scriptId: '',
};

/** Words of a report that are not the meeting's own. */
const english = /\b(?:Agreed|Present|Hello everybody|In short|What we agreed|spoke \d+%)/;

const groups: readonly (readonly [language: string, scriptIds: readonly string[]])[] = [
  ['en', ['launch-review', 'warehouse-sync', 'long/430/0']],
  ...contentLanguages.map((language) => {
    const scenes = listSceneNames(language).map((name) => `${language}/${name}`);
    return [language, scenes.flatMap((scene) => [`${scene}/0`, `${scene}/5`, `${scene}/11`])] as const;
  }),
];

it.each(groups)('has no empty block by any template in %s', (language, scriptIds) => {
  for (const scriptId of scriptIds) {
    const chapters = timeScript(findScript(scriptId));
    const texts = templateNames.flatMap((templateName) => {
      const template = { id: 't', templateName, edits: [] };
      const blocks = listReportBlocks({ ...meeting, scriptId }, template, chapters);
      expect(blocks.length).toBeGreaterThan(0);
      return blocks.map(({ text }) => JSON.stringify(text));
    });
    // Chinese says as much with half the characters.
    const fewest = language === 'zh' || language === 'ja' ? 30 : 60;
    expect(texts.filter((text) => text.length < fewest)).toEqual([]);
    expect(texts.filter((text) => /[{]\w+[}]|undefined|NaN|null %/.test(text))).toEqual([]);
    expect(texts.filter((text) => language !== 'en' && english.test(text))).toEqual([]);
  }
});
