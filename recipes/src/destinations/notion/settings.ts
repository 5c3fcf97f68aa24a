import { z } from 'zod';

/** Notion takes 180 requests a minute over a connection (developers.notion.com, Request limits). */
export const NOTION_GAP_MS = 400;

/** Notion, as one connection. */
export interface NotionSettings {
  readonly token: string;
  /** The address in front of `/v1`: `https://api.notion.com` by default. */
  readonly baseUrl?: string | undefined;
  /** The data source that pages are created in unless a recipe names another one; undefined: each names its own. */
  readonly dataSourceId?: string | undefined;
}

/** Variables of the environment. */
export const notionVariables = {
  NOTION_TOKEN: z.string().optional(),
  NOTION_BASE_URL: z
    .url({ protocol: /^https?$/, error: 'an http or https address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  NOTION_DATA_SOURCE_ID: z
    .string()
    .regex(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, {
      error: 'the id of a data source: 32 hexadecimal digits',
    })
    .optional(),
};

type Variables = z.output<z.ZodObject<typeof notionVariables>>;

/** Undefined without a token. */
export function readNotionSettings(variables: Variables): NotionSettings | undefined {
  const { NOTION_TOKEN: token, NOTION_DATA_SOURCE_ID: dataSourceId, NOTION_BASE_URL: baseUrl } = variables;
  return token === undefined ? undefined : { token, dataSourceId, baseUrl };
}
