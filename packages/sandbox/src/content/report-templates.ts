import { templateSlugs } from '@aftermeet/contract';

import type { BlockName } from './write-block.ts';

export interface ReportTemplate {
  /** Its name in a report: the slug of a built-in template, the name of a custom one. */
  readonly label: string;
  readonly blocks: readonly BlockName[];
}

/** The blocks of each built-in template; the specification does not show them. */
const builtInBlocks: Readonly<Record<string, readonly BlockName[]>> = {
  'default-meeting': ['summary', 'decisions', 'tasks'],
  daily: ['summary_by_speaker', 'tasks'],
  'one-to-one': ['one_to_one', 'tasks'],
  'backlog-grooming': ['summary_agenda', 'decisions', 'tasks'],
  brainstorm: ['summary_agenda', 'decisions'],
  'follow-up-email': ['follow_up_email', 'tasks'],
  'project-sync': ['summary_agenda', 'decisions', 'tasks'],
  'sales-meeting': ['sales_general', 'questions_and_answers', 'tasks'],
  'sales-coaching': ['sales_coach', 'summary_by_speaker'],
  'hr-interview': ['hr_summary', 'questions_and_answers'],
  'research-interview': ['research_insights', 'questions_and_answers'],
  'team-sync': ['team_sync_agenda', 'decisions', 'tasks'],
  'lecture-notes': ['summary', 'summary_agenda'],
  'meeting-protocol': ['protocol', 'decisions', 'tasks'],
  'medical-anamnesis': ['med-anamnesis'],
  'profanity-filter': ['summary'],
};

/** The custom templates of the workspace; their ids are the same at every start. */
export const customTemplates: readonly {
  readonly id: string;
  readonly name: string;
  readonly blocks: readonly BlockName[];
}[] = [
  {
    id: '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07',
    name: 'Design sync',
    blocks: ['summary_agenda', 'decisions', 'tasks'],
  },
  {
    id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d',
    name: 'Customer call',
    blocks: ['summary', 'questions_and_answers', 'tasks'],
  },
];

/** The template of a `template_name`, which is a slug or the id of a custom template; undefined for an unknown one. */
export function findReportTemplate(templateName: string): ReportTemplate | undefined {
  const custom = customTemplates.find(({ id }) => id === templateName);
  if (custom !== undefined) return { label: custom.name, blocks: custom.blocks };
  const isBuiltIn = templateSlugs.some(({ slug }) => slug === templateName);
  return isBuiltIn ? { label: templateName, blocks: builtInBlocks[templateName] ?? ['summary'] } : undefined;
}
