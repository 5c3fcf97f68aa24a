/**
 * Values of `source`, as suggestions: the set is open. The specification shows the first two and says that
 * there are ten; the others are observed.
 */
export const platforms = [
  'gmeet',
  'zoom',
  'yandextelemost',
  'sberjazz',
  'trueconf',
  'konturtalk',
  'msteams',
  'jitsi',
  'mtslink',
  'lark',
] as const;

/** A known value of `source`. */
export type Platform = (typeof platforms)[number];

/** Observed other spellings of the same platforms. */
export const platformSpellings = { telemost: 'yandextelemost', teams: 'msteams' } as const;

/** A built-in report template. */
export interface TemplateSlug {
  readonly name: string;
  /** The value of `template_name`. */
  readonly slug: string;
  /** True when the specification shows only the display name and the slug follows its pattern. */
  readonly assumed: boolean;
}

const slugs = [
  { name: 'Default Meeting', slug: 'default-meeting', assumed: false },
  { name: 'Daily', slug: 'daily', assumed: true },
  { name: 'One-to-one', slug: 'one-to-one', assumed: true },
  { name: 'Backlog Grooming', slug: 'backlog-grooming', assumed: true },
  { name: 'Brainstorm', slug: 'brainstorm', assumed: true },
  { name: 'Follow-up Email', slug: 'follow-up-email', assumed: true },
  { name: 'Project Sync', slug: 'project-sync', assumed: true },
  { name: 'Sales Meeting', slug: 'sales-meeting', assumed: false },
  { name: 'Sales Coaching', slug: 'sales-coaching', assumed: true },
  { name: 'HR Interview', slug: 'hr-interview', assumed: true },
  { name: 'Research Interview', slug: 'research-interview', assumed: true },
  { name: 'Team Sync', slug: 'team-sync', assumed: false },
  { name: 'Lecture Notes', slug: 'lecture-notes', assumed: true },
  { name: 'Meeting Protocol', slug: 'meeting-protocol', assumed: true },
  { name: 'Medical Anamnesis', slug: 'medical-anamnesis', assumed: true },
  { name: 'Profanity Filter', slug: 'profanity-filter', assumed: true },
] as const satisfies readonly TemplateSlug[];

/** The sixteen built-in templates in the order of the specification (Resources), which shows three of the slugs. */
export const templateSlugs: readonly TemplateSlug[] = slugs;

/** The slug of a built-in template. */
export type BuiltInTemplate = (typeof slugs)[number]['slug'];

/** Observed values of a tag's colour; the specification shows none. */
export const tagColors = ['blue', 'purple', 'orange', 'yellow', 'teal', 'green', 'red', 'grey'] as const;

/** A known colour of a tag. */
export type TagColor = (typeof tagColors)[number];

/** Observed names of report blocks besides `summary`; an open set. */
export const blockNames = [
  'summary_agenda',
  'sales_general',
  'sales_coach',
  'hr_summary',
  'questions_and_answers',
  'research_insights',
  'team_sync_agenda',
  'summary_by_speaker',
  'one_to_one',
  'protocol',
  'med-anamnesis',
  'tasks',
] as const;

/**
 * Observed values of a meeting's status; an open set. `new` means ready: it turns `processed` when the report
 * is read for the first time.
 */
export const meetingStates = ['new', 'queued', 'processing', 'processed', 'failed', 'recording'] as const;
