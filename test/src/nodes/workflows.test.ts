import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { AftermeetWebhookApi } from '../../../nodes/credentials/AftermeetWebhookApi.credentials.ts';
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
  parameters: z.record(z.string(), z.unknown()),
  webhookId: z.uuid().optional(),
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

/** By the types that workflows know them by; n8n makes the tool out of the action node. */
const ours = new Map([
  ['aftermeet', action],
  ['aftermeetTool', action],
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
    const ids = workflows.flatMap(({ id, nodes }) => [
      id,
      ...nodes.flatMap((one) => [one.id, ...(one.webhookId === undefined ? [] : [one.webhookId])]),
    ]);
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
    const own = [new AftermeetApi(), new AftermeetWebhookApi()].map(({ name }) => name);
    expect([...types].filter((type) => type.startsWith('aftermeet')).toSorted()).toEqual(own.toSorted());
  });

  describe.each(workflows)('$file', ({ text, nodes, connections }) => {
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
      expect(said).toContain('**Fill in**');
      expect(said).toContain('**What it does not do**');
      for (const [, named = ''] of said.matchAll(/Node "(.+?)"/g)) expect(names).toContain(named);
      for (const { credentials = {} } of nodes) {
        for (const { name } of Object.values(credentials)) expect(said).toContain(`"${name}"`);
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
        expect(taken).toEqual(expect.arrayContaining(Object.keys(credentials)));
        const needed = description?.credentials?.filter(
          ({ displayOptions }) => displayOptions === undefined || parameters['fetchReport'] === true,
        );
        expect(Object.keys(credentials)).toEqual(
          expect.arrayContaining(needed?.map((one) => one.name) ?? []),
        );
      }
    });

    it('holds no secret, and no address but examples and those of Slack and Notion', () => {
      const secrets = [...text.matchAll(/"(?:webhookSecret|apiKey|token|password)": "(.*?)"/g)].map(
        ([, value]) => value,
      );
      expect(secrets.filter((value) => value !== '')).toEqual([]);
      const hosts = [...text.matchAll(/https?:\/\/([\w.-]+\.\w+)/g)].map(([, host = '']) => host);
      const allowed = /(?:^|\.)example\.com$|^api\.notion\.com$/;
      expect(hosts.filter((host) => !allowed.test(host))).toEqual([]);
      const mails = [...text.matchAll(/[\w.-]+@([\w-]+(?:\.[\w-]+)+)/g)].map(([, host = '']) => host);
      expect(mails.filter((host) => host !== 'example.com')).toEqual([]);
    });

    it('has expressions that n8n reads to their end', () => {
      for (const [, expression = ''] of text.matchAll(/"=((?:[^"\\]|\\.)*)"/g)) {
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
    ]);
  });
});
