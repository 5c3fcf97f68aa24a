import type { EffectDestination } from '@aftermeet/queue';

/** Slack, as the bot of one workspace. */
export interface SlackSettings {
  readonly token: string;
  /** Where the Web API is, with its trailing path: `https://slack.com/api/` by default. */
  readonly apiUrl?: string | undefined;
  /** The id of the channel that recipes post to unless they name another one; undefined: each names its own. */
  readonly channel?: string | undefined;
}

/** Notion, as one connection. */
export interface NotionSettings {
  readonly token: string;
  /** The address in front of `/v1`: `https://api.notion.com` by default. */
  readonly baseUrl?: string | undefined;
  /** The data source that pages are created in unless a recipe names another one; undefined: each names its own. */
  readonly dataSourceId?: string | undefined;
}

/**
 * A mailbox in which every mail that was sent can be found. Only for a server or provider that files what it sends
 * (Gmail does), or that gives a copy of everything to one address (Postfix: `always_bcc`), with the Message-ID as it
 * was: a mail that is not there counts as not sent, and is sent again.
 */
export interface ImapSettings {
  /** `imaps://user:password@host`; `imap://` is upgraded by STARTTLS. */
  readonly url: string;
  /** The folder; without it the one that is marked as the folder of sent mail, else `INBOX`. */
  readonly mailbox?: string;
}

/** A mail server. */
export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly smtpUrl: string;
  /** `name@example.com` or `Name <name@example.com>`. */
  readonly from: string;
  /** Who receives mail unless a recipe names others; empty: the internal participants. */
  readonly to: readonly string[];
  /** Domains of one's own people; without them that of the sender. */
  readonly internalDomains?: readonly string[];
  readonly replyTo?: string;
  /** Where a reader unsubscribes: an https address that takes one click (RFC 8058); without it a mail to the sender. */
  readonly unsubscribeUrl?: string;
  /** A header of the relay that makes a repeated mail recognisable, such as `X-EE-Idempotency-Key`. */
  readonly idempotencyHeader?: string;
  readonly dkim?: { readonly domain: string; readonly selector: string; readonly privateKey: string };
  readonly oauth2?: {
    readonly user: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly refreshToken: string;
    readonly accessUrl?: string;
  };
  /** Where a mail is looked up when it is not known whether it was sent; absent: nowhere. */
  readonly imap?: ImapSettings;
}

/** Where effects can go: every destination that is configured. */
export interface Destinations {
  readonly slack?: SlackSettings | undefined;
  readonly notion?: NotionSettings | undefined;
  readonly mail?: MailSettings | undefined;
  /** Domains of one's own people, for the condition `external`; without them those of `mail`. */
  readonly internalDomains?: readonly string[] | undefined;
}

/** `http` is an address of the installation's own, `folder` one on this machine. */
export type DestinationName = Exclude<EffectDestination, 'service'>;

/** Every destination that recipes send to. */
export const destinationNames = [
  'slack',
  'notion',
  'email',
  'http',
  'folder',
] as const satisfies readonly DestinationName[];

/** What has to be set for a destination, in the words of the settings. */
const neededSettings = {
  slack: 'SLACK_BOT_TOKEN',
  notion: 'NOTION_TOKEN',
  email: 'SMTP_URL and MAIL_FROM',
} as const;

/** Why a recipe cannot use its destination, or nothing when it can. */
export function explainMissingDestination(
  name: DestinationName,
  destinations: Destinations,
): string | undefined {
  // Their recipes say themselves where to go.
  if (name === 'http' || name === 'folder') return undefined;
  const settings = name === 'email' ? destinations.mail : destinations[name];
  return settings === undefined ? `${name} is not configured: set ${neededSettings[name]}` : undefined;
}

/** The options that say where a recipe sends, and the variable that counts where a recipe leaves the option out. */
export const targetOptions = [
  {
    destination: 'slack',
    option: 'channel',
    expected: 'the id of a channel, or SLACK_CHANNEL',
    read: ({ slack }: Destinations) => slack?.channel,
  },
  {
    destination: 'notion',
    option: 'dataSource',
    expected: 'the id of a data source, or NOTION_DATA_SOURCE_ID',
    read: ({ notion }: Destinations) => notion?.dataSourceId,
  },
] as const;
