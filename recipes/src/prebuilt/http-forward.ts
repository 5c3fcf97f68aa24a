import { z } from 'zod';

import { headersSchema, secretRule, secretSchema, urlSchema } from '../destinations/http/address-schema.ts';
import { type BodyName, type BodyTemplate, parseBodyTemplate } from '../destinations/http/body-template.ts';
import type { HttpNeed } from '../destinations/http/check.ts';
import { httpMethods } from '../destinations/http/post-once.ts';
import { HttpAddress } from '../destinations/http/send-http-post.ts';
import {
  describeFailedBody,
  describeMeetingBody,
  makeFailedBody,
  makeMeetingBody,
  type FailedBody,
  type MeetingBody,
  meetingParts,
} from '../destinations/http/write-meeting-body.ts';
import { expandTarget } from '../engine/recipe.ts';
import type { Digest } from '../report/digest.ts';
import { listOpenGroups } from '../report/show-task.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';

const bodySchema = z.unknown().transform((value, context): BodyTemplate => {
  const parsed = parseBodyTemplate(value);
  if (parsed.ok) return parsed.template;
  for (const { place, message } of parsed.problems) {
    context.addIssue({ code: 'custom', path: [...place], message });
  }
  return z.NEVER;
});

const options = z
  .strictObject({
    url: urlSchema.describe(
      'Where to post: an https address. It may contain a token; only its host is ever shown.',
    ),
    secret: z
      .union([secretSchema.transform((key) => [key]), z.array(secretSchema).min(1).max(5)], {
        error: `${secretRule}, or a list of up to five while one replaces another`,
      })
      .optional()
      .describe(
        'Signs each request: whsec_ with Base64, as the Standard Webhooks libraries expect, or any text of at least 16 ' +
          'characters. A list signs with each: name the old and the new secret during a rotation. With body it may be left out.',
      ),
    body: bodySchema
      .optional()
      .describe(
        'What is posted in place of the JSON below: a mapping or a list, whose texts are Liquid templates over the fields of data.',
      ),
    each: z
      .literal('tasks', { error: 'tasks' })
      .optional()
      .describe(
        'tasks: one request for each open task, which body knows as task. Default: one request for the report.',
      ),
    include: z
      .array(z.enum(meetingParts), { error: `a list of ${meetingParts.join(', ')}` })
      .default(['summary', 'decisions', 'tasks', 'sections'])
      .describe(`Parts of the report to send: ${meetingParts.join(', ')}. Default: all but the transcript.`),
    emails: z
      .boolean({ error: 'true or false' })
      .default(false)
      .describe('Whether e-mail addresses of participants and owners are sent. Default: false, names only.'),
    method: z
      .enum(httpMethods, { error: `one of ${httpMethods.join(', ')}` })
      .default('POST')
      .describe(`The method: ${httpMethods.join(', ')}. Default: POST.`),
    headers: headersSchema.default({}).describe('Further headers of each request, such as Authorization.'),
    expect: z
      .string({ error: 'text that is not empty' })
      .min(1, { error: 'text that is not empty' })
      .optional()
      .describe(
        'Text that every answer of the receiver contains. A 2xx or 404 without it, from a proxy or a program that is still ' +
          'starting, is retried later. For the Aftermeet trigger in n8n: "status":',
      ),
    allow: z
      .literal('private', { error: 'private' })
      .optional()
      .describe(
        'private: allows addresses of this machine and of private networks, and http:// there. Default: both are refused.',
      ),
  })
  .refine((values) => values.allow === 'private' || values.url.protocol === 'https:', {
    path: ['url'],
    error: 'an address that starts with https://; http:// is taken with allow: private alone',
  })
  .refine(({ secret, body }) => secret !== undefined || body !== undefined, {
    path: ['secret'],
    error: `${secretRule}, or a list of up to five while one replaces another`,
    // Told together with what else is missing.
    when: ({ value }) => typeof value === 'object',
  })
  .refine(({ each, body }) => each === undefined || body !== undefined, {
    path: ['body'],
    error: 'a body, because each: tasks needs one',
  })
  .superRefine(({ body, each, include, emails }, context) => {
    for (const { place, path } of body?.names ?? []) {
      const message = explainUnknownName(path, { hasTask: each !== undefined, include, emails });
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['body', ...place], message });
    }
  });

type Values = z.output<typeof options>;

export const httpForward = definePrebuiltRecipe({
  id: 'http-forward',
  description: 'Posts the report of a finished meeting, signed, to an address of yours.',
  destination: 'http',
  events: ['meeting.completed'],
  transcript: 'present',
  options,
  plan: ({ kind }, values) => {
    if (values.each === undefined) return [{ target: makeAddress(values).label, part: 0 }];
    // A failed meeting has no tasks.
    return kind === 'meeting.failed' ? [] : [{ target: expandTarget, part: 0 }];
  },
  needs: ({ url, allow }) => ({ url: url.href, isPrivateAllowed: allow === 'private' }) satisfies HttpNeed,
  present: (values) => {
    const to = makeAddress(values);
    return {
      from: 'report',
      needsTranscript: values.include.includes('transcript'),
      whyNoTarget: 'the report has no open tasks',
      expand: (digest, { target }) =>
        target === expandTarget
          ? listOpenTasks(digest).map((key) => ({ target: to.label, part: 0, item: key }))
          : [],
      render: (digest, { item }) => {
        const made = makeBody(digest, item, values);
        return 'skip' in made ? made : { destination: 'http', message: { body: made.text, to } };
      },
      renderFailed: (event) => {
        const made = fillBody(makeFailedBody(event), values.body);
        return 'skip' in made ? made : { destination: 'http', message: { body: made.text, to } };
      },
    };
  },
});

function listOpenTasks({ taskGroups }: Digest): readonly string[] {
  return listOpenGroups(taskGroups).flatMap(({ tasks }) => tasks.map(({ key }) => key));
}

/** The text that is posted, or why there is none. */
type MadeBody = { readonly text: string } | { readonly skip: string; readonly isFailure?: true };

function makeBody(
  digest: Digest,
  item: string | undefined,
  { body: template, each, include, emails }: Values,
): MadeBody {
  // The task of a request is known to its body also when the list of tasks is not.
  const parts = new Set(each === undefined ? include : [...include, 'tasks' as const]);
  const meeting = makeMeetingBody(digest, { parts, hasEmails: emails });
  const task = each === undefined ? undefined : findOpenTask(meeting, item);
  if (each !== undefined && task === undefined) {
    return { skip: 'the report does not have this open task any more' };
  }
  return fillBody(meeting, template, task);
}

function fillBody(
  body: MeetingBody | FailedBody,
  template: BodyTemplate | undefined,
  task?: object,
): MadeBody {
  if (template === undefined) return { text: JSON.stringify(body) };
  const { type, timestamp, data } = body;
  const made = template.render({ ...data, type, timestamp, task });
  return made.ok ? { text: JSON.stringify(made.body) } : { skip: made.cause, isFailure: true };
}

function findOpenTask({ data: { tasks = [] } }: MeetingBody, wanted: string | undefined) {
  return tasks.find(({ key, state }) => key === wanted && state === 'open');
}

/** `title`, `tasks.owner`: what templates can read. */
const knownNames: readonly string[] = [
  ...new Set(
    [...describeMeetingBody(), ...describeFailedBody()]
      .filter(({ path }) => path !== 'data')
      .map(({ path }) => path.replace(/^data\./, '').replaceAll('[]', '')),
  ),
];

interface Readable {
  /** Each request is about a task. */
  readonly hasTask: boolean;
  readonly include: readonly string[];
  readonly emails: boolean;
}

/** What is expected in place of a name that a template cannot read; undefined: it can read it. */
function explainUnknownName(
  path: BodyName['path'],
  { hasTask, include, emails }: Readable,
): string | undefined {
  const [first = '', ...rest] = path;
  const isTask = first === 'task' && hasTask;
  const name = (isTask ? ['tasks', ...rest] : path).join('.');
  if (!knownNames.includes(name)) {
    const siblings = knownNames.filter((known) => !known.includes('.'));
    return `names that the report has: ${[...siblings, ...(hasTask ? ['task'] : [])].join(', ')}, and their fields`;
  }
  const part = meetingParts.find((one) => one === first);
  if (part !== undefined && !include.includes(part)) return `${part} in include, because this text uses it`;
  return name.endsWith('email') && !emails ? 'emails: true, because this text uses an address' : undefined;
}

function makeAddress(values: Values): HttpAddress {
  const { method, url, secret: keys = [], headers, allow, expect: expected } = values;
  return new HttpAddress({ method, url, keys, headers, isPrivateAllowed: allow === 'private', expected });
}
