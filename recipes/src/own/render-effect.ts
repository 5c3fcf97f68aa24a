import { z } from 'zod';

import type { MailMessage } from '../destinations/email/compose-mail.ts';
import { isMailAddress } from '../destinations/email/mail-address.ts';
import { htmlTree } from '../destinations/email/mail-html.ts';
import { htmlPage, writeFooter } from '../destinations/email/mail-page.ts';
import { headersSchema, secretSchema, urlSchema } from '../destinations/http/address-schema.ts';
import { httpMethods } from '../destinations/http/post-once.ts';
import { HttpAddress } from '../destinations/http/send-http-post.ts';
import type { BuiltInMessage } from '../destinations/messages.ts';
import { renderBlocks } from '../destinations/notion/blocks.ts';
import type { FieldValue } from '../destinations/notion/page.ts';
import { composeMessage } from '../destinations/slack/blocks.ts';
import { slackChannelId, slackMemberId, type SlackPerson } from '../destinations/slack/message.ts';
import { toRichText } from '../destinations/slack/rich-text.ts';
import type { Destination } from '../engine/destination.ts';
import { hashTarget } from '../engine/effect-key.ts';
import type { MadeEffect } from '../engine/recipe.ts';
import { cutText } from '../report/clean-text.ts';
import { parseText } from '../report/parse-text.ts';
import { plainText } from '../report/plain-text.ts';

/** Characters of Markdown that one Slack message holds; the rest is cut. */
const MAX_SLACK_MARKDOWN = 8000;
/** Blocks of one message (docs.slack.dev, Block Kit). */
const MAX_SLACK_BLOCKS = 50;
const MAX_THREAD = 20;
const MAX_MAIL_MARKDOWN = 25_000;
const MAX_PAGE_MARKDOWN = 200_000;

const text = z.string({ error: 'text that is not empty' }).min(1, { error: 'text that is not empty' });
const key = z.string({ error: 'text' }).optional();
const address = z
  .string({ error: 'an e-mail address' })
  .refine(isMailAddress, { error: 'an e-mail address' });

const propertyWords = "a text, a number, true or false, a list of texts, { date: '2026-07-07' } or { url }";

/** A value of a Notion property. */
const propertySchema = z.union(
  [
    z.string().transform((value): FieldValue => ({ kind: 'text', text: value })),
    z.number().transform((value): FieldValue => ({ kind: 'number', number: value })),
    z.boolean().transform((value): FieldValue => ({ kind: 'checkbox', isChecked: value })),
    z.array(z.string()).transform((names): FieldValue => ({ kind: 'names', names })),
    z
      .strictObject({ date: z.union([z.iso.date(), z.iso.datetime({ offset: true })]) })
      .transform(({ date }): FieldValue => ({ kind: 'date', start: date, words: date })),
    z.strictObject({ url: z.url() }).transform(({ url }): FieldValue => ({ kind: 'url', url })),
  ],
  { error: propertyWords },
);

/** What recipes return. */
const effectSchema = z.discriminatedUnion(
  'destination',
  [
    z
      .strictObject({
        destination: z.literal('slack'),
        channel: z
          .string()
          .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789' })
          .optional(),
        user: z
          .string()
          .refine((user) => slackMemberId.test(user) || isMailAddress(user), {
            error: 'an e-mail address, or the id of a member',
          })
          .optional(),
        markdown: text,
        blocks: z
          .array(z.looseObject({ type: z.string() }), { error: 'a list of blocks' })
          .min(1, { error: 'at least one block' })
          .max(MAX_SLACK_BLOCKS, { error: `at most ${MAX_SLACK_BLOCKS} blocks` })
          .optional(),
        thread: z
          .array(text, { error: 'a list of texts' })
          .max(MAX_THREAD, { error: `at most ${MAX_THREAD} replies` })
          .default([]),
        key,
      })
      .refine(({ channel, user }) => (channel === undefined) !== (user === undefined), {
        path: ['channel'],
        error: 'a channel or a user, one of the two',
      }),
    z.strictObject({
      destination: z.literal('email'),
      to: z.union([address.transform((one) => [one]), z.array(address)], {
        error: 'an address, or a list of them',
      }),
      subject: text,
      markdown: text,
      attach: z.array(z.enum(['pdf', 'docx', 'md'], { error: 'pdf, docx or md' })).optional(),
      external: z.enum(['draft', 'send'], { error: 'draft or send' }).default('draft'),
      key,
    }),
    z.strictObject({
      destination: z.literal('notion'),
      dataSource: text,
      title: text,
      markdown: z.string({ error: 'text' }),
      properties: z.record(z.string(), propertySchema).optional(),
      key,
    }),
    z.strictObject({
      destination: z.literal('http'),
      url: urlSchema,
      method: z.enum(httpMethods, { error: `one of ${httpMethods.join(', ')}` }).optional(),
      body: z.unknown(),
      headers: headersSchema.default({}),
      secret: secretSchema.optional(),
      allow: z.literal('private', { error: 'private' }).optional(),
      key,
    }),
  ],
  { error: 'slack, email, notion, http, or a destination of aftermeet.yaml' },
);

type CheckedEffect = z.output<typeof effectSchema>;

/** For a destination of one's own, whose code checks the message. */
const ownEffectSchema = z.strictObject({
  destination: z.string(),
  message: z.unknown(),
  target: z.string({ error: 'text' }).min(1).max(200).optional(),
  key,
});

/** Something that a recipe returned and that is no effect. */
interface EffectProblem {
  /** `0.markdown`. */
  readonly path: string;
  readonly expected: string;
}

interface RenderOptions {
  readonly meetingId: string;
  /** The name of the recipe, for the footer of mail. */
  readonly recipe: string;
  readonly isExternalAddress: (address: string) => boolean;
  /** Destinations of the installation's own. */
  readonly destinations: readonly Destination[];
}

type Read =
  | { readonly ok: true; readonly effects: readonly MadeEffect[] }
  | { readonly ok: false; readonly problem: EffectProblem };

/** Makes the effects that a recipe returned ready to be sent. Pure. */
export function renderEffects(returned: unknown, options: RenderOptions): Read {
  if (!Array.isArray(returned)) return { ok: false, problem: { path: '', expected: 'a list of effects' } };
  const effects: MadeEffect[] = [];
  for (const [index, one] of returned.entries()) {
    const read = readEffect(one, options);
    if (!read.ok) {
      const path = [index, ...(read.problem.path === '' ? [] : [read.problem.path])].join('.');
      return { ok: false, problem: { ...read.problem, path } };
    }
    effects.push(...read.effects);
  }
  const names = effects.map(({ target, item, part }) => JSON.stringify([target, item, part]));
  const twice = names.findIndex((name, index) => names.indexOf(name) !== index);
  if (twice === -1) return { ok: true, effects };
  const expected = 'a key that tells it from the other effect for this target';
  return { ok: false, problem: { path: `${twice}.key`, expected } };
}

function readEffect(returned: unknown, options: RenderOptions): Read {
  const { destination: name } = z.looseObject({ destination: z.unknown() }).safeParse(returned).data ?? {};
  const own = options.destinations.find((destination) => destination.name === name);
  if (own !== undefined) return readOwnEffect(returned, own);
  const parsed = effectSchema.safeParse(returned);
  if (parsed.success) return { ok: true, effects: renderEffect(parsed.data, options) };
  return { ok: false, problem: describeIssue(parsed.error) };
}

function describeIssue({ issues: [issue] }: z.ZodError): EffectProblem {
  const path = (issue?.path ?? []).join('.');
  return { path, expected: issue?.code === 'unrecognized_keys' ? 'no such field' : (issue?.message ?? '') };
}

/** An effect made by `to`. */
function readOwnEffect(returned: unknown, destination: Destination): Read {
  const parsed = ownEffectSchema.safeParse(returned);
  if (!parsed.success) return { ok: false, problem: describeIssue(parsed.error) };
  const { name } = destination;
  const { message: given, target = name, key: own } = parsed.data;
  const read = destination.readMessage?.(given);
  if (read?.ok !== true) {
    const { path = [], expected = 'a destination that takes messages' } = read ?? {};
    return { ok: false, problem: { path: ['message', ...path].join('.'), expected } };
  }
  const item = own === undefined ? name : `${name} ${own}`;
  const rendered = { destination: name, message: read.message };
  return { ok: true, effects: [{ destination: name, target, part: 0, item, rendered }] };
}

/** The item tells effects of several destinations apart, whose targets could be equal. */
function renderEffect(effect: CheckedEffect, options: RenderOptions): readonly MadeEffect[] {
  const { destination, key: own } = effect;
  const item = own === undefined ? destination : `${destination} ${own}`;
  return listTargets(effect, options).map(({ target, message, part = 0 }) => ({
    destination,
    target,
    part,
    item,
    rendered: message,
  }));
}

interface Targeted {
  readonly target: string;
  readonly message: BuiltInMessage;
  /** Of a reply, from 1. */
  readonly part?: number;
}

function listTargets(effect: CheckedEffect, options: RenderOptions): readonly Targeted[] {
  switch (effect.destination) {
    case 'slack': {
      const { channel, user = '', blocks: ownBlocks, markdown, thread } = effect;
      const person: SlackPerson = slackMemberId.test(user) ? { userId: user } : { email: user };
      // A target holds no address: operators see it.
      const target = channel ?? `person:${hashTarget(user.toLowerCase()).slice(0, 16)}`;
      return [markdown, ...thread].map((words, part) => ({
        target,
        part,
        message: {
          destination: 'slack',
          message: {
            ...composeMessage([{ flow: toRichText(parseText(cutText(words, MAX_SLACK_MARKDOWN))) }]),
            ...(ownBlocks === undefined || part > 0 ? {} : { ownBlocks }),
            ...(channel === undefined ? { person } : {}),
          },
        },
      }));
    }
    case 'email': {
      const message = renderMail(effect, options);
      return effect.to.map((target) => {
        const isHeld = effect.external === 'draft' && options.isExternalAddress(target);
        const held = isHeld ? { needsApproval: true } : {};
        return { target, message: { destination: 'email', message: { ...message, ...held } } };
      });
    }
    case 'notion': {
      const { dataSource, title, markdown, properties } = effect;
      const blocks = renderBlocks(parseText(cutText(markdown, MAX_PAGE_MARKDOWN)));
      const message = { kind: 'meeting', title, fields: {}, mapping: {}, properties, blocks } as const;
      return [{ target: dataSource, message: { destination: 'notion', message } }];
    }
    case 'http':
    default: {
      const { method, url, secret, headers, allow } = effect;
      const to = new HttpAddress({
        method,
        url,
        keys: secret === undefined ? [] : [secret],
        headers,
        isPrivateAllowed: allow === 'private',
      });
      const message = { body: JSON.stringify(effect.body), to };
      return [{ target: to.label, message: { destination: 'http', message } }];
    }
  }
}

function renderMail(
  { subject, markdown, attach }: Extract<CheckedEffect, { destination: 'email' }>,
  { meetingId, recipe }: RenderOptions,
): MailMessage {
  const tree = parseText(cutText(markdown, MAX_MAIL_MARKDOWN));
  const words = plainText(tree);
  const footer = writeFooter(`the recipe ${recipe} names your address`);
  const page = htmlPage({
    eyebrow: 'Meeting',
    title: subject,
    preheader: cutText(words, 150),
    facts: '',
    sections: [htmlTree(tree)],
    footer: footer.html,
  });
  return {
    subject,
    text: `${words}\n\n${footer.text}`,
    html: page,
    meetingId,
    ...(attach === undefined ? {} : { attach }),
  };
}
