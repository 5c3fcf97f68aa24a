import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { z } from 'zod';

import { isRecipientRule, listInternalAddresses } from '../destinations/email/recipients.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { ConfiguredRecipe } from '../engine/recipe.ts';

const node = z.looseObject({
  id: z.string(),
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()),
});
const workflow = z.looseObject({ id: z.string(), name: z.string(), nodes: z.array(node) });

/** An n8n workflow, as its editor and `n8n import:workflow` read it. */
export type N8nWorkflow = z.output<typeof workflow>;

/** A workflow, and what it does not take over of the recipe, in whole sentences. */
export interface N8nExport {
  readonly workflow: N8nWorkflow;
  readonly notes: readonly string[];
}

/** What of the recipe and the settings goes into a workflow: of the node `node` the parameter or the field at `name`. */
interface Field {
  readonly node: string;
  readonly name: 'channelId' | 'data_source_id' | 'mail_from' | 'internal_domains' | 'mail_to';
  /** The recipe's option of the same meaning. */
  readonly option?: string;
  readonly setting: (destinations: Destinations) => string | undefined;
}

const shippedWorkflows: Readonly<
  Record<string, { readonly file: string; readonly fields: readonly Field[] }>
> = {
  'slack-recap': {
    file: 'recap-to-slack.json',
    fields: [
      {
        node: 'Post it to Slack',
        name: 'channelId',
        option: 'channel',
        setting: ({ slack }) => slack?.channel,
      },
    ],
  },
  'slack-alert': {
    file: 'failure-alert.json',
    fields: [
      { node: 'Tell Slack', name: 'channelId', option: 'channel', setting: ({ slack }) => slack?.channel },
    ],
  },
  'notion-page': {
    file: 'page-in-notion.json',
    fields: [
      {
        node: 'Settings',
        name: 'data_source_id',
        option: 'dataSource',
        setting: ({ notion }) => notion?.dataSourceId,
      },
    ],
  },
  'email-follow-up': {
    file: 'follow-up-mail.json',
    fields: [
      { node: 'Settings', name: 'mail_from', setting: ({ email }) => email?.from },
      { node: 'Settings', name: 'internal_domains', setting: ({ email }) => listDomains(email) },
      { node: 'Settings', name: 'mail_to', option: 'to', setting: ({ email }) => email?.to.join(', ') },
    ],
  },
};

/** The ids of the prebuilt recipes that have a workflow. */
export const recipesWithWorkflow: readonly string[] = Object.keys(shippedWorkflows);

/**
 * The shipped workflow of a recipe with channel, data source and addresses filled in; undefined where the prebuilt recipe
 * has none. Holds no secret. A recipe under a name of its own gets ids of its own, so that n8n takes both.
 */
export function toN8nWorkflow(
  recipe: ConfiguredRecipe,
  destinations: Destinations = {},
): N8nExport | undefined {
  const shipped = Object.hasOwn(shippedWorkflows, recipe.use) ? shippedWorkflows[recipe.use] : undefined;
  if (shipped === undefined) return undefined;
  const source = new URL(`../../n8n/${shipped.file}`, import.meta.url);
  const made = workflow.parse(JSON.parse(readFileSync(source, 'utf8')));
  const notes: string[] = [];
  const left = new Set(Object.keys(recipe.with));
  for (const { node: nodeName, name, option = '', setting } of shipped.fields) {
    const own = readAddresses(recipe.with[option]);
    if (own !== undefined) left.delete(option);
    const value = own ?? setting(destinations);
    if (value !== undefined) setField(made, nodeName, name, value);
  }
  if (left.size > 0) notes.push(`These options of the recipe are left out: ${[...left].join(', ')}.`);
  if (Object.keys(recipe.when).length > 0) {
    notes.push(
      'The conditions of the recipe (when) are left out: set them in the trigger, or in a Filter node behind it.',
    );
  }
  notes.push('The note in the workflow says what to fill in, and what the workflow does not do.');
  if (recipe.name !== recipe.use) takeOwnIds(made, recipe.name);
  return { workflow: made, notes };
}

/**
 * A text or a list of addresses as n8n has it. The rule `internal` is what an empty field means there; the other rules
 * have no counterpart.
 */
function readAddresses(value: unknown): string | undefined {
  const list = z.union([z.string().transform((one) => [one]), z.array(z.string())]).safeParse(value);
  if (!list.success) return undefined;
  if (list.data.every((one) => one === 'internal')) return '';
  return list.data.some(isRecipientRule) ? undefined : list.data.join(', ');
}

function listDomains(mail: Destinations['email']): string | undefined {
  if (mail === undefined) return undefined;
  // The workflow compares domains: for a sender at a public provider there is none.
  return listInternalAddresses(mail)
    .filter((one) => !one.includes('@'))
    .join(', ');
}

const channel = z.looseObject({ value: z.string() });
const settings = z.looseObject({
  assignments: z.looseObject({
    assignments: z.array(z.looseObject({ name: z.string(), value: z.unknown() })),
  }),
});

function setField({ nodes }: N8nWorkflow, nodeName: string, name: Field['name'], value: string): void {
  const parameters = nodes.find((one) => one.name === nodeName)?.parameters ?? {};
  // n8n would run a text that begins with `=` as an expression.
  const text = value.startsWith('=') ? `={{ ${JSON.stringify(value)} }}` : value;
  if (name === 'channelId') {
    parameters[name] = { ...channel.parse(parameters[name]), value: text };
    return;
  }
  const { assignments } = settings.parse(parameters);
  const filled = assignments.assignments.map((one) => (one.name === name ? { ...one, value: text } : one));
  parameters['assignments'] = { ...assignments, assignments: filled };
}

function takeOwnIds(made: N8nWorkflow, name: string): void {
  made.id = makeId(made.id, name).slice(0, 16);
  made.name = `Aftermeet: ${name}`;
  for (const one of made.nodes) one.id = makeUuid(one.id, name);
}

/** An id in the form of a UUID (version 8, RFC 9562 section 5.8) that is the same for the same words. */
function makeUuid(...words: readonly string[]): string {
  const hex = makeId(...words);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join('-');
}

function makeId(...words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}
