import type { Destinations, MailSettings } from '@aftermeet/recipes';

import type { EnvironmentValues } from './environment-schema.ts';
import { readMail } from './mail-schema.ts';
import type { SettingProblem } from './problem.ts';
import type { FileValues } from './read-file.ts';

/** Variables that only make sense together: each group is complete or wholly absent. */
const groups = {
  slack: ['SLACK_BOT_TOKEN', 'SLACK_CHANNEL'],
  notion: ['NOTION_TOKEN', 'NOTION_DATA_SOURCE_ID'],
  mail: ['SMTP_URL', 'MAIL_FROM'],
} as const satisfies Record<keyof Destinations, readonly (keyof EnvironmentValues)[]>;

/**
 * The destinations whose variables are set; half a destination is a problem, not a silent nothing. What the file says
 * of mail counts once there is a mail server: whoever reads the same file without one is not asked for it.
 */
export function readDestinations(
  values: EnvironmentValues,
  { mail }: Pick<FileValues, 'mail'> = {},
): {
  readonly destinations: Destinations;
  readonly problems: readonly SettingProblem[];
} {
  const problems = Object.values(groups).flatMap((names) => {
    const missing = names.filter((name) => values[name] === undefined);
    const present = names.find((name) => values[name] !== undefined);
    return present === undefined
      ? []
      : missing.map((name) => ({
          setting: name,
          found: 'nothing',
          expected: `a value, because ${present} is set`,
        }));
  });
  const { SLACK_BOT_TOKEN: token, SLACK_CHANNEL: channel, NOTION_TOKEN, NOTION_DATA_SOURCE_ID } = values;
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, MAIL_TO: to = [] } = values;
  return {
    problems: [...problems, ...checkMailServer(values)],
    destinations: {
      ...(token !== undefined && channel !== undefined
        ? {
            slack: {
              token,
              channel,
              ...(values.SLACK_API_URL === undefined ? {} : { apiUrl: values.SLACK_API_URL }),
            },
          }
        : {}),
      ...(NOTION_TOKEN !== undefined && NOTION_DATA_SOURCE_ID !== undefined
        ? {
            notion: {
              token: NOTION_TOKEN,
              dataSourceId: NOTION_DATA_SOURCE_ID,
              ...(values.NOTION_BASE_URL === undefined ? {} : { baseUrl: values.NOTION_BASE_URL }),
            },
          }
        : {}),
      ...(smtpUrl !== undefined && from !== undefined
        ? { mail: { smtpUrl, from, to, ...readMail(mail), ...readMailbox(values) } }
        : {}),
    },
  };
}

/** Where sent mail can be looked for. */
function readMailbox({
  IMAP_URL: url,
  IMAP_MAILBOX: mailbox,
}: EnvironmentValues): Pick<MailSettings, 'imap'> {
  return url === undefined ? {} : { imap: { url, ...(mailbox === undefined ? {} : { mailbox }) } };
}

/** Recipients, and the mailbox in which sent mail is found, are for nothing without a server that sends. */
function checkMailServer({
  IMAP_URL,
  IMAP_MAILBOX,
  MAIL_FROM,
  MAIL_TO,
  SMTP_URL,
}: EnvironmentValues): readonly SettingProblem[] {
  if (IMAP_URL === undefined && IMAP_MAILBOX !== undefined) {
    return [{ setting: 'IMAP_URL', found: 'nothing', expected: 'a value, because IMAP_MAILBOX is set' }];
  }
  const idle = [
    ...(IMAP_URL === undefined ? [] : ['IMAP_URL']),
    ...(MAIL_TO === undefined ? [] : ['MAIL_TO']),
  ];
  // A sender alone was told so already.
  if (SMTP_URL !== undefined || MAIL_FROM !== undefined || idle.length === 0) return [];
  const expected = `a value, because ${idle.join(' and ')} ${idle.length > 1 ? 'are' : 'is'} set`;
  return [{ setting: 'SMTP_URL', found: 'nothing', expected }];
}
