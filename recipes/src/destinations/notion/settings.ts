/** Notion, as one connection. */
export interface NotionSettings {
  readonly token: string;
  /** The address in front of `/v1`: `https://api.notion.com` by default. */
  readonly baseUrl?: string | undefined;
  /** The data source that pages are created in unless a recipe names another one; undefined: each names its own. */
  readonly dataSourceId?: string | undefined;
}
