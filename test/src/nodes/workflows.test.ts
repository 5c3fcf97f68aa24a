import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { Aftermeet } from '../../../nodes/nodes/Aftermeet/Aftermeet.node.ts';
import { AftermeetPollTrigger } from '../../../nodes/nodes/AftermeetPollTrigger/AftermeetPollTrigger.node.ts';
import { AftermeetTrigger } from '../../../nodes/nodes/AftermeetTrigger/AftermeetTrigger.node.ts';
import { root } from '../pins/picture.ts';
import { findParameterProblems } from './support/find-parameter-problems.ts';

const folder = join(root, 'recipes/n8n');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

const connection = z.strictObject({ node: z.string(), type: z.string(), index: z.literal(0) });
const node = z.strictObject({
  id: z.uuid(),
  name: z.string().min(1),
  type: z.string().regex(/^(?:n8n-nodes-base|n8n-nodes-aftermeet|@n8n\/n8n-nodes-langchain)\.\w+$/),
  typeVersion: z.number(),
  position: z.tuple([z.number(), z.number()]),
  // No webhookId: n8n makes up one for each import, so that no two installations share an address.
  parameters: z.record(z.string(), z.unknown()),
  // By id and name: what it holds never leaves n8n.
  credentials: z
    .record(z.string(), z.strictObject({ id: z.string().length(16), name: z.string() }))
    .optional(),
});
const workflow = z.strictObject({
  id: z.string().length(16),
  name: z.string().startsWith('Aftermeet: '),
  nodes: z.array(node),
  connections: z.record(z.string(), z.record(z.string(), z.array(z.array(connection)))),
  active: z.literal(false),
  settings: z.strictObject({ executionOrder: z.literal('v1') }),
  meta: z.strictObject({ templateCredsSetupCompleted: z.literal(false) }),
  pinData: z.strictObject({}),
});

const workflows = files.map((file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  return { ...workflow.parse(JSON.parse(text)), file, text };
});

const { description: action } = new Aftermeet();
const { description: trigger } = new AftermeetTrigger();
const { description: pollTrigger } = new AftermeetPollTrigger();

/** What n8n itself adds to a tool that has resources. */
const toolProperties: typeof action.properties = [
  {
    displayName: 'Tool Description',
    name: 'descriptionType',
    type: 'options',
    options: [
      { name: 'Set Automatically', value: 'auto' },
      { name: 'Set Manually', value: 'manual' },
    ],
    default: 'auto',
  },
  {
    displayName: 'Description',
    name: 'toolDescription',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: { descriptionType: ['manual'] } },
  },
];

/** By the types that workflows know them by; n8n makes the tool out of the action node. */
const ours = new Map([
  ['aftermeet', action],
  ['aftermeetTool', { ...action, properties: [...toolProperties, ...action.properties] }],
  ['aftermeetTrigger', trigger],
  ['aftermeetPollTrigger', pollTrigger],
]);

function findOurs(type: string): typeof action | undefined {
  const [name, kind = ''] = type.split('.');
  return name === 'n8n-nodes-aftermeet' ? ours.get(kind) : undefined;
}

describe('the workflows with our nodes', () => {
  it('have a row each in the README, and the README has no other', () => {
    const links = [...readme.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(
      ([, title, target]) => `${title} ${target}`,
    );
    expect(links.toSorted()).toEqual(files.map((file) => `${file} ${file}`).toSorted());
  });

  it('have ids of their own', () => {
    const ids = workflows.flatMap(({ id, nodes }) => [id, ...nodes.map((one) => one.id)]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('call a credential the same everywhere, as the README does', () => {
    const known = new Map<string, string>();
    const types = new Set<string>();
    for (const [type, { id, name }] of workflows.flatMap(({ nodes }) =>
      nodes.flatMap(({ credentials = {} }) => Object.entries(credentials)),
    )) {
      const key = `${type} ${name}`;
      expect(known.get(id) ?? key).toBe(key);
      known.set(id, key);
      types.add(type);
      expect(readme).toContain(`\`${name}\``);
    }
    expect([...types].filter((type) => type.startsWith('aftermeet'))).toEqual([new AftermeetApi().name]);
  });

  describe.each(workflows)('$file', ({ text: written, nodes, connections }) => {
    const names = nodes.map(({ name }) => name);
    const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

    it('leads from nodes to nodes, and leaves none alone but the note', () => {
      expect(new Set(names).size).toBe(names.length);
      const targets = Object.values(connections).flatMap((kinds) => Object.values(kinds).flat(2));
      const reached = new Set([...Object.keys(connections), ...targets.map((target) => target.node)]);
      const drawn = names.filter((name) => notes.every((one) => one.name !== name));
      expect([...reached].toSorted()).toEqual(drawn.toSorted());
      for (const [from, kinds] of Object.entries(connections)) {
        expect(from in kinds).toBe(false);
        for (const [kind, outputs] of Object.entries(kinds)) {
          for (const target of outputs.flat()) expect(target.type).toBe(kind);
        }
      }
    });

    it('says in a note what to fill in and what it does not do', () => {
      expect(notes).toHaveLength(1);
      const said = String(notes[0]?.parameters['content']);
      expect(said).toContain('\n### Fill in\n');
      expect(said).toContain('\n### What it does not do\n');
      // n8n turns a blank line into a line of the item before it.
      expect(said).not.toContain('\n\n');
      for (const [, named = ''] of said.matchAll(/Node "(.+?)"/g)) expect(names).toContain(named);
      for (const { credentials = {} } of nodes) {
        for (const { name } of Object.values(credentials)) expect(said).toContain(`"${name}"`);
      }
    });

    it('has a note that is as tall as its text', () => {
      const { content, height, width } = notes[0]?.parameters ?? {};
      expect(width).toBe(620);
      const needed = estimateNoteHeight(String(content));
      expect(height).toBeGreaterThanOrEqual(needed);
      expect(height).toBeLessThan(needed + 40);
      expect(notes[0]?.position).toEqual([0, -(Number(height) + 64)]);
    });

    it('has links that are links, to sections that exist', () => {
      const said = String(notes[0]?.parameters['content']);
      // n8n makes a link to a site of Moldova of it.
      expect(said.replaceAll(/\[.+?\]\(.+?\)/g, '')).not.toMatch(/\.md\b|https?:/);
      for (const [, title = '', target = ''] of said.matchAll(/\[(.+?)\]\((.+?)\)/g)) {
        const [, path = '', anchor = ''] = /\/blob\/main\/([^#]+)#(.+)$/.exec(target) ?? [];
        expect(title).not.toBe('');
        const headings = [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)];
        expect(headings.map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'))).toContain(
          anchor,
        );
      }
    });

    it('gives our nodes what they know, and all that they need', () => {
      for (const { name, type, typeVersion, parameters, credentials = {} } of nodes) {
        if (!type.startsWith('n8n-nodes-aftermeet.')) continue;
        const description = findOurs(type);
        expect(description?.version).toContain(typeVersion);
        const problems = findParameterProblems(description?.properties ?? [], parameters);
        expect({ name, problems }).toEqual({ name, problems: [] });
        const taken = description?.credentials?.map((one) => one.name) ?? [];
        expect(Object.keys(credentials)).toEqual(taken);
      }
    });

    it('holds no secret, and no address but examples, that of Notion and our own pages', () => {
      const secrets = [...written.matchAll(/"(?:webhookSecret|apiKey|token|password)": "(.*?)"/g)].map(
        ([, value]) => value,
      );
      expect(secrets.filter((value) => value !== '')).toEqual([]);
      const hosts = [...written.matchAll(/https?:\/\/([\w.-]+\.\w+)/g)].map(([, host = '']) => host);
      const allowed = /(?:^|\.)example\.com$|^api\.notion\.com$|^github\.com$/;
      expect(hosts.filter((host) => !allowed.test(host))).toEqual([]);
      const mails = [...written.matchAll(/[\w.-]+@([\w-]+(?:\.[\w-]+)+)/g)].map(([, host = '']) => host);
      expect(mails.filter((host) => host !== 'example.com')).toEqual([]);
    });

    it('has expressions that n8n reads to their end', () => {
      for (const [, expression = ''] of written.matchAll(/"=((?:[^"\\]|\\.)*)"/g)) {
        const opened = expression.split('{{').length;
        expect({ expression, closed: expression.split('}}').length }).toEqual({ expression, closed: opened });
      }
    });
  });

  it('sends no recap of a meeting in which nothing was transcribed', () => {
    const starts = workflows.flatMap(({ file, nodes }) =>
      nodes
        .filter(({ type }) => type === 'n8n-nodes-aftermeet.aftermeetTrigger')
        .map(({ parameters }) => [file, parameters['filters'], parameters['fetchReport']]),
    );
    expect(starts).toEqual([
      ['failure-alert.json', { emptyTranscript: 'only' }, false],
      ['follow-up-mail.json', { emptyTranscript: 'skip' }, true],
      ['page-in-notion.json', { emptyTranscript: 'skip' }, true],
      ['recap-to-slack.json', { emptyTranscript: 'skip' }, true],
      ['register-url.json', {}, true],
    ]);
  });

  it('shows that a follow-up mail has no recipient: a branch of its own, before the mails are made', () => {
    const { nodes, connections } = find('follow-up-mail.json');
    const [yes, no] = connections['Does anyone get it?']?.['main'] ?? [];
    expect([yes, no].map((targets) => targets?.map(({ node: name }) => name))).toEqual([
      ['One mail for each'],
      ['No recipient'],
    ]);
    const asked = nodes.find(({ name }) => name === 'Does anyone get it?')?.parameters;
    expect(JSON.stringify(asked)).toContain('$json.to.length > 0');
    expect(connections['Choose who gets it']?.['main']?.[0]?.[0]?.node).toBe('Does anyone get it?');
  });

  it('starts recordings that are delivered to the trigger beside them, signed with its credential', () => {
    const { nodes } = find('register-url.json');
    const start = nodes.find(({ name }) => name === 'Start the recordings');
    const listener = nodes.find(({ type }) => type.endsWith('.aftermeetTrigger'));
    expect(start?.parameters['options']).toEqual({ webhookUrl: '={{ $json.webhook_url }}' });
    expect(start?.credentials).toEqual(listener?.credentials);
  });
});

function find(file: string): (typeof workflows)[number] {
  const found = workflows.find((one) => one.file === file);
  if (found === undefined) throw new Error(`no ${file}`);
  return found;
}

/**
 * How tall a note of 620 pixels has to be, by the style sheet of n8n's notes: titles of 24 and 16 pixels, items of 14, and as many
 * characters in a line as fit of a wide font.
 */
function estimateNoteHeight(content: string): number {
  const padding = 32;
  return content.split('\n').reduce((sum, line) => {
    if (line.startsWith('## ')) return sum + countLines(line.slice(3), 40) * 36 + 8;
    if (line.startsWith('### ')) return sum + 40;
    return sum + countLines(line.slice(2), 74) * 19 + 4;
  }, padding);
}

function countLines(markdown: string, most: number): number {
  const text = markdown.replaceAll(/\[(.+?)\]\(.+?\)/g, '$1').replaceAll('`', '');
  let lines = 1;
  let used = 0;
  for (const word of text.split(' ')) {
    if (used > 0 && used + 1 + word.length > most) {
      lines += 1;
      used = 0;
    }
    used += (used > 0 ? 1 : 0) + word.length;
  }
  return lines;
}
