/** The parts of Notion's block model that we use. */
export interface NotionText {
  readonly type: 'text';
  readonly text: { readonly content: string; readonly link?: { readonly url: string } };
}

export type NotionBlock =
  | { readonly type: 'paragraph'; readonly paragraph: { readonly rich_text: NotionText[] } }
  | { readonly type: 'heading_2'; readonly heading_2: { readonly rich_text: NotionText[] } }
  | { readonly type: 'heading_3'; readonly heading_3: { readonly rich_text: NotionText[] } }
  | { readonly type: 'bulleted_list_item'; readonly bulleted_list_item: { readonly rich_text: NotionText[] } }
  | {
      readonly type: 'to_do';
      readonly to_do: { readonly rich_text: NotionText[]; readonly checked: boolean };
    };

/** One page before it is known which properties its data source has. */
export interface NotionPage {
  readonly title: string;
  readonly meetingId: string;
  /** ISO 8601. */
  readonly startedAt?: string;
  readonly blocks: readonly NotionBlock[];
}

/**
 * Notion's limits on a request (developers.notion.com, Request limits). 100 blocks fit into the one
 * request that makes the page, and one request is all or nothing.
 */
export const notionLimits = { blocks: 100, text: 2000, title: 300, textRuns: 5 } as const;
