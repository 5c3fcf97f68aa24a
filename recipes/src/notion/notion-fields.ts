/** The types of properties that we fill (developers.notion.com, Data source properties). */
export type PropertyType =
  | 'title'
  | 'rich_text'
  | 'date'
  | 'number'
  | 'select'
  | 'status'
  | 'multi_select'
  | 'url'
  | 'people'
  | 'relation';

/** What is known of a meeting or a task, before it is known what its property is like. */
export type FieldValue =
  | { readonly kind: 'text'; readonly text: string }
  /** ISO 8601; `words`: as it was said. */
  | { readonly kind: 'date'; readonly start?: string; readonly end?: string; readonly words: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'names'; readonly names: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  /** The address finds the person among the people of the workspace, and is never shown. */
  | { readonly kind: 'person'; readonly name: string; readonly email?: string }
  | {
      readonly kind: 'meeting';
      readonly meetingId: string;
      readonly title: string;
      readonly startedAt?: string;
      readonly url?: string;
    };

export type FieldValues = Readonly<Record<string, FieldValue | undefined>>;

/** Where a fact goes unless somebody says otherwise. */
export interface FactRule {
  /** The property that is used where the data source has it; absent: the fact goes nowhere unless it is mapped. */
  readonly property?: string;
  readonly fits: readonly PropertyType[];
  /** Filled in when the page is made and never again: it is people's from then on. */
  readonly isFirstOnly?: true;
}

const anyText: readonly PropertyType[] = ['rich_text', 'select', 'multi_select'];

/** The facts of a meeting's page and of a task's row. The title goes to the one property of that type. */
export const factRules: Readonly<Record<'meeting' | 'task', Readonly<Record<string, FactRule>>>> = {
  meeting: {
    title: { fits: ['title'] },
    date: { property: 'Date', fits: ['date'] },
    duration: { property: 'Duration', fits: ['number'] },
    source: { property: 'Source', fits: anyText },
    participants: { property: 'Participants', fits: ['multi_select', 'rich_text'] },
    tags: { property: 'Tags', fits: ['multi_select', 'rich_text'] },
    template: { fits: anyText },
    summary: { fits: ['rich_text'] },
    meetingId: { property: 'Meeting ID', fits: ['rich_text'] },
    reportUrl: { property: 'Report URL', fits: ['url', 'rich_text'] },
    status: { property: 'Status', fits: ['status', 'select'], isFirstOnly: true },
  },
  task: {
    title: { fits: ['title'] },
    owner: { property: 'Owner', fits: ['people', 'rich_text', 'select', 'multi_select'] },
    due: { property: 'Due', fits: ['date', 'rich_text'] },
    meeting: { property: 'Meeting', fits: ['relation', 'url', 'rich_text'] },
    status: { property: 'Status', fits: ['status', 'select'], isFirstOnly: true },
  },
};
