import { z } from 'zod';

import { joinOr } from '../../report/clean-text.ts';
import { formatDuration } from '../../report/format-when.ts';
import { normalizeName } from '../../report/people.ts';
import { alternate, type Condition, type Facts, negate, opposite, type Truth } from './condition.ts';
import { matchTitle } from './match-title.ts';

/** What is particular to one condition. */
interface ConditionEntry<Schema extends z.ZodType> {
  /** What it asks for, for editors. */
  readonly about: string;
  /** How it stands in the settings. */
  readonly schema: Schema;
  /** For people: what is true of a meeting when it holds, and when it does not. */
  readonly words: (wanted: z.output<Schema>) => readonly [yes: string, no: string];
  /** Undefined: it is not known, or not before the report is there. */
  readonly holds: (wanted: z.output<Schema>, facts: Facts) => Truth;
  /** The value that was judged, for people who may read the report. */
  readonly saw: (facts: Facts) => string;
}

/** A condition whose schema makes the condition itself of what stands in the settings. */
function condition<Schema extends z.ZodType>({ about, schema, words, holds, saw }: ConditionEntry<Schema>) {
  return schema
    .transform((wanted): Condition & { readonly wanted: z.output<Schema> } => {
      const [yes, no] = words(wanted);
      return { wanted, yes, no, judge: (facts) => ({ holds: holds(wanted, facts), saw: saw(facts) }) };
    })
    .exactOptional()
    .describe(about);
}

/** The conditions that the event alone can answer. */
const eventConditions = {
  /** Event kinds, such as `meeting.completed`; a kind that is not known is taken only when named here. */
  event: condition({
    about: 'Kinds of events, such as meeting.completed.',
    schema: oneOrMore('event', 'an event kind such as meeting.completed'),
    words: (kinds) => [`the event is ${joinOr(kinds)}`, `the event is not ${joinOr(kinds)}`],
    holds: (kinds, { event }) => kinds.includes(event.kind),
    saw: ({ event }) => event.kind,
  }),
  endpoint: condition({
    about: 'Endpoints to which the delivery came.',
    schema: oneOrMore('endpoint', 'the name of an endpoint'),
    words: (names) => [
      `it came to the endpoint ${joinOr(names)}`,
      `it did not come to the endpoint ${joinOr(names)}`,
    ],
    holds: (names, { event }) => names.includes(event.endpoint),
    saw: ({ event }) => event.endpoint,
  }),
  /** Title patterns. The event's title counts where it has one, whatever the meeting is called since. */
  title: condition({
    about: 'Patterns of the title, such as "*Sales*".',
    schema: oneOrMore('title', 'a title pattern such as "*Sales*"'),
    words: (patterns) => [
      `its title fits ${joinOr(patterns.map(quote))}`,
      `its title does not fit ${joinOr(patterns.map(quote))}`,
    ],
    holds: (patterns, facts) => {
      const title = findTitle(facts);
      return title === undefined ? undefined : patterns.some((pattern) => matchTitle(title, pattern));
    },
    saw: (facts) => quote(findTitle(facts) ?? ''),
  }),
  isTranscriptEmpty: condition({
    about: 'Whether nothing was transcribed.',
    schema: z.boolean({ error: 'true or false' }),
    words: (isEmpty) => {
      const words = ['its transcript is empty', 'its transcript is not empty'] as const;
      return isEmpty ? words : [words[1], words[0]];
    },
    holds: (isEmpty, facts) => isTranscriptEmpty(facts) === isEmpty,
    saw: sayTranscript,
  }),
};

/** The conditions that only the report can answer. */
const reportConditions = {
  /** Names of tags; case does not matter. */
  tag: condition({
    about: 'Names of tags; case does not matter.',
    schema: oneOrMore('tag', 'the name of a tag'),
    words: (tags) => [`it has the tag ${joinOr(tags)}`, `it does not have the tag ${joinOr(tags)}`],
    holds: (tags, { digest }) => digest && haveOneOf(digest.tags, tags, normalizeName),
    saw: ({ digest }) => list(digest?.tags, 'no tags'),
  }),
  /** Platforms, such as `zoom`. */
  source: condition({
    about: 'Platforms, such as zoom.',
    schema: oneOrMore('source', 'a platform such as zoom'),
    words: (sources) => [`it was held on ${joinOr(sources)}`, `it was not held on ${joinOr(sources)}`],
    holds: (sources, { digest }) =>
      digest?.source === undefined ? undefined : haveOneOf([digest.source], sources, normalizeName),
    saw: ({ digest }) => digest?.source ?? 'no platform',
  }),
  /** Templates that the report was made with, by slug, name or id. */
  template: condition({
    about: 'Templates that the report was made with, by name or id.',
    schema: oneOrMore('template', 'a template such as sales-meeting'),
    words: (templates) => [
      `its report was made with the template ${joinOr(templates)}`,
      `its report was not made with the template ${joinOr(templates)}`,
    ],
    holds: (templates, { digest }) => {
      const made = digest?.templates.flatMap(({ name, id = '' }) => [name, id]);
      return made && haveOneOf(made, templates, slugTemplate);
    },
    saw: ({ digest }) =>
      list(
        digest?.templates.map(({ name }) => name),
        'no template',
      ),
  }),
  /** Domains of the participants' addresses: one of them takes part. */
  participantDomain: condition({
    about: 'Domains of which a participant has an address.',
    schema: oneOrMore(
      'participantDomain',
      'a domain such as example.com',
      /^@?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,9}$/u,
    ),
    words: (domains) => [
      `a participant has an address at ${joinOr(domains)}`,
      `no participant has an address at ${joinOr(domains)}`,
    ],
    holds: (domains, { digest }) => {
      if (digest === undefined) return undefined;
      const addresses = digest.attendees.map(({ email = '' }) => email);
      if (haveOneOf(addresses, domains, foldDomain)) return true;
      // A participant without an address may be at the domain.
      return addresses.length === 0 || addresses.includes('') ? undefined : false;
    },
    saw: sayDomains,
  }),
  duration: condition({
    about: 'How long it lasted: atLeast, atMost or both.',
    schema: boundsOf(seconds(), 'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }'),
    words: (bounds) => sayBounds(bounds, sayDuration, ['it lasts', 'it does not last']),
    holds: (bounds, { digest }) => isWithin(digest?.durationSeconds, bounds),
    saw: ({ digest }) =>
      digest?.durationSeconds === undefined ? 'no duration' : sayDuration(digest.durationSeconds),
  }),
  /** Participants of the report, or its speakers where more of those are named. */
  participants: condition({
    about: 'How many took part: atLeast, atMost or both.',
    schema: boundsOf(wholeNumber(), 'atLeast, atMost or both, such as { atLeast: 3 }'),
    words: (bounds) =>
      sayBounds(bounds, String, ['the number of participants is', 'the number of participants is not']),
    holds: (bounds, { digest }) => isWithin(digest?.participantCount, bounds),
    saw: ({ digest }) =>
      digest?.participantCount === undefined ? 'no participants' : `${digest.participantCount}`,
  }),
  /** Whether a participant is outside the installation's own domains. One without an address counts as external. */
  external: condition({
    about: 'Whether somebody from outside may have taken part.',
    schema: z.boolean({ error: 'true or false' }),
    words: (isExternal) => {
      const words = ['an external person may take part', 'all participants are internal'] as const;
      return isExternal ? words : [words[1], words[0]];
    },
    holds: (isExternal, { digest, isExternalAddress }) => {
      if (digest === undefined) return undefined;
      const areInternal = digest.attendees.map(
        ({ email }) => email !== undefined && !isExternalAddress(email),
      );
      return (areInternal.length === 0 || areInternal.includes(false)) === isExternal;
    },
    saw: sayDomains,
  }),
};

const otherConditions = {
  /** No other recipe about the same takes the meeting at the same destination. */
  otherwise: condition({
    about: 'true: no other recipe about the same takes the meeting at the same destination.',
    schema: z.literal(true, { error: 'true, or nothing' }),
    words: () => ['no other recipe takes it', 'another recipe takes it'],
    holds: (_wanted, { findTakers }) => opposite(findTakers().holds),
    saw: ({ findTakers }) => findTakers().saw,
  }),
};

/** Conditions that all must hold, in `not` and `anyOf`. */
const nested: z.ZodType<readonly Condition[]> = z
  .unknown()
  .refine((when) => typeof when !== 'object' || when === null || Object.keys(when).length > 0, {
    error: 'at least one condition',
    abort: true,
  })
  .pipe(z.lazy(() => recipeWhenSchema.transform((when) => Object.values(when))));

/** The conditions that a recipe can have, as they stand in its settings. All must hold, and of a list one. */
export const recipeWhenSchema = z.strictObject({
  ...eventConditions,
  ...reportConditions,
  ...otherConditions,
  not: nested.transform(negate).exactOptional(),
  anyOf: z
    .array(nested, { error: 'a list of conditions, such as [{ tag: sales }, { title: "*Sales*" }]' })
    .min(1, { error: 'at least one condition' })
    .transform(alternate)
    .exactOptional(),
});

/** The conditions of a recipe, read from its settings. */
export type RecipeWhen = z.output<typeof recipeWhenSchema>;

export const recipeWhenKeys: readonly string[] = Object.keys(recipeWhenSchema.shape);

export const reportConditionKeys: readonly string[] = Object.keys(reportConditions);

/** Where each condition of a recipe's settings stands: `title`, `not.tag`, `anyOf.0.title`. The settings may be wrong. */
export function listConditionPaths(
  when: unknown,
  prefix = '',
): readonly { readonly path: string; readonly key: string }[] {
  if (typeof when !== 'object' || when === null || Array.isArray(when)) return [];
  return Object.entries(when).flatMap(([key, value]: [string, unknown]) => {
    const path = `${prefix}${key}`;
    if (key === 'not') return listConditionPaths(value, `${path}.`);
    if (key === 'anyOf' && Array.isArray(value)) {
      return value.flatMap((one, index) => listConditionPaths(one, `${path}.${index}.`));
    }
    return [{ path, key }];
  });
}

/** One value or a list of them. A value that begins with `!` would mean something else than it looks like. */
function oneOrMore(name: string, what: string, pattern = /\S/) {
  const error = `${what}, or a list of them`;
  return z
    .union([z.string(), z.array(z.string()).min(1, { error })], { error })
    .superRefine((given, context) => {
      for (const [index, value] of [given].flat().entries()) {
        const path = typeof given === 'string' ? [] : [index];
        const wanted = value.replace(/^!\s*/, '');
        const message = wanted === value ? error : `not: { ${name}: ${JSON.stringify(wanted)} }`;
        if (wanted !== value || !pattern.test(value)) context.addIssue({ code: 'custom', path, message });
      }
    })
    .transform((given) => [given].flat());
}

interface Bounds {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** `{ atLeast, atMost }`, one of them at least. The error for a misspelt bound names the bounds, not the conditions. */
function boundsOf(value: z.ZodType<number>, error: string) {
  return z
    .unknown()
    .refine(namesBounds, { error })
    .pipe(z.object({ atLeast: value.exactOptional(), atMost: value.exactOptional() }))
    .refine(({ atLeast = 0, atMost = Infinity }) => atLeast <= atMost, {
      error: 'an atLeast that is not more than its atMost',
    });
}

function namesBounds(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === 'atLeast' || name === 'atMost');
}

/** `1h30m` in seconds. */
function seconds() {
  const error = 'a duration such as 90s, 10m or 1h30m';
  return z
    .string({ error })
    .regex(/^(?=\d)(?:\d{1,4}h)?(?:\d{1,4}m)?(?:\d{1,6}s)?$/, { error, abort: true })
    .transform((text) => {
      const [, hours = '0', minutes = '0', rest = '0'] =
        /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
      return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
    });
}

function wholeNumber() {
  const error = 'a whole number from 0 to 10000';
  return z.int({ error }).min(0, { error }).max(10_000, { error });
}

function isWithin(value: number | undefined, { atLeast = 0, atMost = Infinity }: Bounds): Truth {
  return value === undefined ? undefined : value >= atLeast && value <= atMost;
}

function sayBounds(
  { atLeast, atMost }: Bounds,
  say: (value: number) => string,
  [yes, no]: readonly [string, string],
): readonly [string, string] {
  const parts = [
    ...(atLeast === undefined ? [] : [`at least ${say(atLeast)}`]),
    ...(atMost === undefined ? [] : [`at most ${say(atMost)}`]),
  ].join(' and ');
  return [`${yes} ${parts}`, `${no} ${parts}`];
}

/** As it was set: a bound is not rounded. */
function sayDuration(duration: number): string {
  return duration % 60 === 0 && duration > 0 ? formatDuration(duration) : `${duration} s`;
}

function findTitle({ event, digest }: Facts): string | undefined {
  return event.title ?? digest?.title;
}

/** Either can say so; an event that does not say has a transcript. */
export function isTranscriptEmpty({ event, digest }: Facts): boolean {
  return event.isTranscriptEmpty === true || digest?.isTranscriptEmpty === true;
}

export function sayTranscript(facts: Facts): string {
  return isTranscriptEmpty(facts) ? 'no transcript' : 'a transcript';
}

/** `client.example, example.com, 2 without an address`. */
function sayDomains({ digest }: Facts): string {
  const addresses = (digest?.attendees ?? []).map(({ email = '' }) => foldDomain(email));
  const without = addresses.filter((domain) => domain === '').length;
  const domains = [...new Set(addresses)].filter((domain) => domain !== '').toSorted();
  return list(without === 0 ? domains : [...domains, `${without} without an address`], 'no participants');
}

function haveOneOf(
  there: readonly string[],
  wanted: readonly string[],
  fold: (text: string) => string,
): boolean {
  const folded = new Set(wanted.map(fold));
  return there.some((value) => value !== '' && folded.has(fold(value)));
}

/** Of an address, of `@example.com` and of `example.com`. */
function foldDomain(text: string): string {
  return text
    .slice(text.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
}

/** `sales-meeting` of `Sales Meeting`: the slugs of the built-in templates follow this pattern. Bounded in length. */
function slugTemplate(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('-');
}

const MAX_SHOWN = 10;

function list(values: readonly string[] = [], none = ''): string {
  const shown = values.slice(0, MAX_SHOWN).join(', ');
  const more = values.length - MAX_SHOWN;
  return values.length === 0 ? none : `${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
