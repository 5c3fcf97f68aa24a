// What n8n asks of a package that it verifies, beyond what its linter on npm says (test/n8n/lint runs that one).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { AftermeetApi } from '../../../nodes/credentials/AftermeetApi.credentials.ts';
import { Aftermeet } from '../../../nodes/nodes/Aftermeet/Aftermeet.node.ts';
import { AftermeetPollTrigger } from '../../../nodes/nodes/AftermeetPollTrigger/AftermeetPollTrigger.node.ts';
import { AftermeetTrigger } from '../../../nodes/nodes/AftermeetTrigger/AftermeetTrigger.node.ts';
import { root } from '../pins/picture.ts';
import * as rules from './support/verification-rules.ts';

const folder = join(root, 'nodes');

/** What breaks a rule today: what a tool takes is known to the endpoint alone. What is mended has to leave this list. */
const exceptions = ['open-ended-node-fields: Aftermeet: mcp.callTool.argumentsJson'];

const nodes = [new Aftermeet(), new AftermeetTrigger(), new AftermeetPollTrigger()].map((node) => {
  const name = node.constructor.name;
  return { name, path: join(folder, 'nodes', name, `${name}.node`), description: node.description };
});

const codexSchema = z.object({
  categories: z.array(z.string()),
  subcategories: z.record(z.string(), z.array(z.string())).optional(),
});

const manifestSchema = z.object({
  license: z.string(),
  homepage: z.string(),
  repository: z.object({ url: z.string(), directory: z.string().optional() }),
});

const manifest = manifestSchema.parse(readJson(join(folder, 'package.json')));

/** For each rule, what breaks it: the node and the place in it. */
const found: Readonly<Record<string, readonly string[]>> = {
  'single-credential-per-node': ofNodes(({ description }) => rules.findMoreCredentials(description)),
  'options-sorted-alphabetically': ofNodes(({ description }) => rules.findUnsortedOptions(description)),
  'hint-max-length': ofNodes(({ description }) => rules.findLongHints(description)),
  'open-ended-node-fields': ofNodes(({ description }) => rules.findOpenEndedFields(description)),
  'icon-contrast': [...nodes.map(({ description }) => description), new AftermeetApi()]
    .map(({ icon }) => z.object({ light: z.string(), dark: z.string() }).parse(icon))
    .flatMap((icon) =>
      (['light', 'dark'] as const).filter((theme) => {
        const svg = readFileSync(join(folder, 'icons', icon[theme].replace(/^.*\//, '')), 'utf8');
        return rules.isFaint(svg, theme);
      }),
    ),
  'valid-codex-categories': ofNodes(({ path }) =>
    rules.findCodexFaults(codexSchema.parse(readJson(`${path}.json`))),
  ),
  'require-continue-on-fail': ofNodes(({ path }) =>
    rules.ignoresContinueOnFail(readFileSync(`${path}.ts`, 'utf8')) ? ['execute'] : [],
  ),
  'node-operation-error-itemindex': readSources(join(folder, 'nodes/Aftermeet/actions')).flatMap(
    rules.findErrorsWithoutItem,
  ),
  'no-monorepo, require-mit-license': rules.findManifestFaults(manifest),
};

function ofNodes(find: (node: (typeof nodes)[number]) => readonly string[]): readonly string[] {
  return nodes.flatMap((node) => find(node).map((place) => `${node.name}: ${place}`));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readSources(path: string): readonly string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(join(path, name), 'utf8'));
}

describe("rules of n8n's linter that are not on npm yet", () => {
  it('are broken where the list says, and nowhere else', () => {
    const broken = Object.entries(found).flatMap(([rule, places]) =>
      places.map((place) => `${rule}: ${place}`),
    );
    expect(broken).toEqual(exceptions);
  });

  it('find what breaks them', () => {
    const property = { displayName: 'A', name: 'a', default: '' };
    const option = (name: string): { name: string; value: string } => ({ name, value: name });
    const describeOnly = (
      ...properties: Parameters<typeof rules.findLongHints>[0]['properties']
    ): Parameters<typeof rules.findLongHints>[0] => ({ properties });

    const credentials = [{ name: 'c0' }, { name: 'c1' }];
    expect(rules.findMoreCredentials({ properties: [], credentials })).toEqual(['c1']);

    const inner = { ...property, type: 'options' as const, options: [option('b'), option('A')] };
    const outer = { ...property, name: 'more', type: 'collection' as const, options: [inner] };
    expect(rules.findUnsortedOptions(describeOnly(inner, outer))).toEqual(['a', 'more.a']);
    expect(rules.findLongHints(describeOnly({ ...property, type: 'string', hint: 'h'.repeat(121) }))).toEqual(
      ['a'],
    );
    const json = { ...property, type: 'json' as const };
    expect(rules.findOpenEndedFields(describeOnly(json, { ...json, name: 'b', required: true }))).toEqual([
      'a',
    ]);

    expect(rules.isFaint('<svg><path fill="#eee"/></svg>', 'light')).toBe(true);
    expect(rules.isFaint('<svg><path fill="#eee"/></svg>', 'dark')).toBe(false);
    expect(rules.findCodexFaults({ categories: ['AI', 'Meetings'] })).toEqual([
      'Meetings',
      'AI without Root Nodes',
    ]);
    expect(rules.findManifestFaults({ license: 'ISC', repository: { directory: 'nodes' } })).toEqual([
      'repository.directory',
      'license',
    ]);
    expect(rules.ignoresContinueOnFail('class A {\n  async execute() {\n    go(this);\n  }\n}')).toBe(true);
    expect(
      rules.ignoresContinueOnFail('class A {\n  async execute() {\n    this.continueOnFail();\n  }\n}'),
    ).toBe(false);
    expect(
      rules.findErrorsWithoutItem("new NodeApiError(f(), 'x');\nnew NodeApiError(f(), 'y', { itemIndex })"),
    ).toEqual(["new NodeApiError(f(), 'x')"]);
  });
});

describe('the addresses in the package', () => {
  it('are those of package.json: repository is the mirror, homepage the project', () => {
    const project = manifest.homepage.replace(/#.*$/, '');
    const mirror = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
    const files = [
      join(folder, 'README.md'),
      join(root, 'docs/n8n.md'),
      ...nodes.map(({ path }) => `${path}.json`),
      ...readdirSync(join(folder, 'credentials')).map((name) => join(folder, 'credentials', name)),
    ];
    const addresses = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/https:\/\/github\.com\/[\w.-]+\/[\w-]+/g)].map(
        ([address]) => address,
      ),
    );
    expect(new Set(addresses)).toContain(project);
    expect(addresses.filter((address) => address !== project && address !== mirror)).toEqual([]);
  });
});
