import type { Destination } from '../engine/destination.ts';
import type { KnownPerson } from '../report/people-directory.ts';
import type { MailSettings } from './email/settings.ts';
import type { NotionSettings } from './notion/settings.ts';
import type { SlackSettings } from './slack/settings.ts';

/** The settings of the destinations; one that is absent is not configured. */
// A type, not an interface: only a type is also a record of settings by name.
export type Destinations = {
  readonly slack?: SlackSettings | undefined;
  readonly notion?: NotionSettings | undefined;
  readonly email?: MailSettings | undefined;
  /** Domains of one's own people, for the condition `external`; without them those of `email`. */
  readonly internalDomains?: readonly string[] | undefined;
  /** Who people are: their names in reports, addresses, and ids in Slack and Notion. */
  readonly people?: readonly KnownPerson[] | undefined;
  /** Language of the fixed words of messages (BCP 47), unless a recipe has its own. */
  readonly language?: string | undefined;
  /** IANA time zone of messages, unless a recipe has its own. */
  readonly timezone?: string | undefined;
  /** Destinations that code of the installation defines. */
  readonly own?: readonly ConfiguredDestination[] | undefined;
};

/** A destination with its settings. */
export interface ConfiguredDestination {
  readonly destination: Destination;
  readonly settings: unknown;
}
