import { templateSlugs } from '@aftermeet/contract';

import type { BlockName } from './block-names.ts';
import { customTemplates } from './custom-templates.ts';

/** A template as a report needs it. */
export interface ReportTemplate {
  /** What a report calls it: the slug of a built-in template, the name of a custom one. */
  readonly label: string;
  readonly blocks: readonly BlockName[];
}

/** Which blocks each built-in template has; the specification shows none of this. */
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

/** The template of a `template_name`, a slug or the id of a custom template; undefined when there is none. */
export function findReportTemplate(templateName: string): ReportTemplate | undefined {
  const custom = customTemplates.find(({ id }) => id === templateName);
  if (custom !== undefined) return { label: custom.name, blocks: custom.blocks };
  const isBuiltIn = templateSlugs.some(({ slug }) => slug === templateName);
  return isBuiltIn ? { label: templateName, blocks: builtInBlocks[templateName] ?? ['summary'] } : undefined;
}
