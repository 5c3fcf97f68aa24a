import { createMailStandIn, type MailStandIn, type MailStandInOptions } from './mail/create-mail-stand-in.ts';
import {
  createNotionStandIn,
  type NotionStandIn,
  type NotionStandInOptions,
} from './notion/create-notion-stand-in.ts';
import {
  createSlackStandIn,
  type SlackStandIn,
  type SlackStandInOptions,
} from './slack/create-slack-stand-in.ts';

export interface VendorStandInsOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Each defaults to any free port. */
  readonly ports?: {
    readonly slack?: number;
    readonly notion?: number;
    readonly mail?: number;
    readonly mailPage?: number;
  };
  readonly slack?: SlackStandInOptions;
  readonly notion?: NotionStandInOptions;
  readonly mail?: MailStandInOptions;
}

/** The three running stand-ins and what a client of each needs to know. */
export interface VendorStandIns {
  /** `apiUrl` is the SDK's `slackApiUrl`. */
  readonly slack: { readonly url: string; readonly apiUrl: string; readonly standIn: SlackStandIn };
  /** `url` is the SDK's `baseUrl`. */
  readonly notion: { readonly url: string; readonly dataSourceId: string; readonly standIn: NotionStandIn };
  readonly mail: { readonly url: string; readonly pageUrl: string; readonly standIn: MailStandIn };
  readonly close: () => Promise<void>;
}

/** Starts Slack, Notion and the mail server together; when one cannot start, none is left running. */
export async function createVendorStandIns(options: VendorStandInsOptions = {}): Promise<VendorStandIns> {
  const { host, ports = {} } = options;
  const slack = createSlackStandIn(options.slack);
  const notion = createNotionStandIn(options.notion);
  const mail = createMailStandIn(options.mail);
  const close = async (): Promise<void> => {
    await Promise.all([slack.close(), notion.close(), mail.close()]);
  };
  try {
    const slackAddress = await slack.listen({ host, port: ports.slack });
    const notionAddress = await notion.listen({ host, port: ports.notion });
    const mailAddress = await mail.listen({ host, port: ports.mail, pagePort: ports.mailPage });
    return {
      slack: { ...slackAddress, apiUrl: `${slackAddress.url}/api/`, standIn: slack },
      notion: { ...notionAddress, dataSourceId: notion.dataSourceId, standIn: notion },
      mail: { ...mailAddress, standIn: mail },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
