import type { EmulatorSettings } from './emulator.ts';
import { createMailEmulator, type MailEmulator } from './mail/mail.ts';
import { createNotionEmulator, type NotionEmulator, type NotionEmulatorSettings } from './notion/notion.ts';
import { createSlackEmulator, type SlackEmulator, type SlackEmulatorSettings } from './slack/slack.ts';

export interface VendorEmulatorsOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Each defaults to any free port. */
  readonly ports?: {
    readonly slack?: number;
    readonly notion?: number;
    readonly mail?: number;
    readonly mailControl?: number;
  };
  /** Of all three; one that has its own has those alone. */
  readonly allowedHosts?: readonly string[];
  readonly slack?: SlackEmulatorSettings;
  readonly notion?: NotionEmulatorSettings;
  readonly mail?: EmulatorSettings;
}

/** The three running emulators, and the settings that their clients need. */
export interface VendorEmulators {
  /** `apiUrl` is the SDK's `slackApiUrl`. */
  readonly slack: { readonly url: string; readonly apiUrl: string; readonly emulator: SlackEmulator };
  /** `url` is the SDK's `baseUrl`. */
  readonly notion: { readonly url: string; readonly dataSourceId: string; readonly emulator: NotionEmulator };
  readonly mail: { readonly url: string; readonly controlUrl: string; readonly emulator: MailEmulator };
  readonly close: () => Promise<void>;
}

/** Starts Slack, Notion and the mail server; when one cannot start, all are stopped. */
export async function createVendorEmulators(options: VendorEmulatorsOptions = {}): Promise<VendorEmulators> {
  const { host, ports = {}, allowedHosts = [] } = options;
  const slack = createSlackEmulator({ allowedHosts, ...options.slack });
  const notion = createNotionEmulator({ allowedHosts, ...options.notion });
  const mail = createMailEmulator({ allowedHosts, ...options.mail });
  const close = async (): Promise<void> => {
    await Promise.all([slack.close(), notion.close(), mail.close()]);
  };
  try {
    const slackAddress = await slack.listen({ host, port: ports.slack });
    const notionAddress = await notion.listen({ host, port: ports.notion });
    const mailAddress = await mail.listen({ host, port: ports.mail, controlPort: ports.mailControl });
    return {
      slack: { ...slackAddress, apiUrl: `${slackAddress.url}/api/`, emulator: slack },
      notion: { ...notionAddress, dataSourceId: notion.dataSourceId, emulator: notion },
      mail: { ...mailAddress, emulator: mail },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
