import { parseQueueUrl } from '@aftermeet/queue';
import { isMailAddress, isMailSender, slackChannelId } from '@aftermeet/recipes';
import { z } from 'zod';

import { environmentSecret } from './environment-secret.ts';
import { httpUrl } from './http-url.ts';
import { proxyList } from './proxy-list.ts';
import { serviceVariables } from './service-variables.ts';

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: `a whole number from ${least} to ${most}` });

const sender = z.string().refine(isMailSender, {
  error: 'an e-mail address, or a name and an address: Aftermeet <notes@example.com>',
});

const recipient = z.string().refine(isMailAddress, { error: 'e-mail addresses, separated by commas' });

/** Every variable that is read, with what it must look like and its default. */
export const environmentSchema = z.object({
  ...serviceVariables,
  SERVICE_HEADER_PREFIX: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9-]*$/, { error: 'letters, digits and hyphens, such as X-Service' })
    .default('X-Service'),
  WEBHOOK_SECRET: environmentSecret.optional(),
  WEBHOOK_SECRET_PREVIOUS: environmentSecret.optional(),
  WEBHOOK_MASTER_SECRET: environmentSecret.optional(),
  WEBHOOK_TOLERANCE_SECONDS: wholeNumber(1, 86_400).default(300),
  QUEUE_URL: z
    .string()
    .refine((value) => parseQueueUrl(value).ok, {
      error: 'redis://…, rediss://…, postgres://… or embedded:FOLDER',
    })
    .default('embedded:.aftermeet'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  PUBLIC_URL: httpUrl.optional(),
  TRUSTED_PROXIES: proxyList.default([]),
  MAX_BODY_BYTES: wholeNumber(1024, 8 * 1024 * 1024).default(256 * 1024),
  ADMIN_TOKEN: environmentSecret.optional(),
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xox[a-z]-\S+$/, { error: 'a bot token, which starts with xoxb-' })
    .optional(),
  SLACK_API_URL: z.url({ protocol: /^https?$/, error: 'an http or https address' }).optional(),
  SLACK_CHANNEL: z
    .string()
    .regex(slackChannelId, { error: "a channel's id, such as C0123ABC, not its name" })
    .optional(),
  NOTION_TOKEN: z.string().optional(),
  NOTION_BASE_URL: httpUrl.optional(),
  NOTION_DATA_SOURCE_ID: z
    .string()
    .regex(/^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i, {
      error: 'the id of a data source: 32 hexadecimal digits',
    })
    .optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'smtp://host:port or smtps://user:password@host:port' })
    .optional(),
  MAIL_FROM: sender.optional(),
  MAIL_TO: z
    .string()
    .transform((list) => list.split(',').map((address) => address.trim()))
    .pipe(z.array(recipient))
    .optional(),
  IMAP_URL: z
    .url({ protocol: /^imaps?$/, error: 'imap://user:password@host:port or imaps://user:password@host:port' })
    .optional(),
  IMAP_MAILBOX: z.string().optional(),
  WORKER_PORT: wholeNumber(0, 65_535).optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'fatal, error, warn, info, debug, trace or silent',
    })
    .default('info'),
  LOG_FORMAT: z.enum(['json', 'pretty'], { error: 'json or pretty' }).optional(),
});

export type EnvironmentValues = z.infer<typeof environmentSchema>;
