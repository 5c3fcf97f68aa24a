import type { Endpoint, Endpoints } from '@aftermeet/receiver';

import type { EnvironmentValues } from './environment-schema.ts';
import type { SettingProblem } from './problem.ts';
import type { FileValues } from './read-file.ts';

interface NamedSecret {
  /** Where it was given. */
  readonly setting: string;
  readonly secret: string;
}

interface NamedEndpoint {
  readonly secrets: readonly NamedSecret[];
  readonly unsigned?: 'accept' | undefined;
}

/**
 * The endpoints of the environment (`default`) and of the file. A secret that does two jobs is a problem: the service
 * knows those of an endpoint, so with the master secret it could sign for every meeting and with the admin token it
 * could manage; and the same one twice in an endpoint is a rotation that never happened.
 */
export function readEndpoints(
  values: EnvironmentValues,
  file: FileValues,
): { readonly endpoints: Endpoints; readonly problems: readonly SettingProblem[] } {
  const master = nameSecret('WEBHOOK_MASTER_SECRET', values.WEBHOOK_MASTER_SECRET);
  const named = nameEndpoints(values, file, master.length > 0);
  const guards = [...nameSecret('ADMIN_TOKEN', values.ADMIN_TOKEN), ...master];
  const problems = [
    ...listDoubles([], guards),
    ...[...named.values()].flatMap(({ secrets }) => listDoubles(guards, secrets)),
  ];
  const byName = new Map<string, Endpoint>();
  for (const [name, { secrets, unsigned }] of named) {
    byName.set(name, {
      secrets: secrets.map(({ secret }) => secret),
      ...(unsigned === undefined ? {} : { unsigned }),
    });
  }
  const [{ secret: masterSecret } = {}] = master;
  return { endpoints: { byName, ...(masterSecret === undefined ? {} : { masterSecret }) }, problems };
}

function nameEndpoints(
  values: EnvironmentValues,
  { endpoints = {} }: FileValues,
  hasMaster: boolean,
): ReadonlyMap<string, NamedEndpoint> {
  const secrets = [
    ...nameSecret('WEBHOOK_SECRET', values.WEBHOOK_SECRET),
    ...nameSecret('WEBHOOK_SECRET_PREVIOUS', values.WEBHOOK_SECRET_PREVIOUS),
  ];
  const named = new Map<string, NamedEndpoint>(
    secrets.length > 0 || hasMaster ? [['default', { secrets }]] : [],
  );
  for (const [name, { secrets: given, unsigned }] of Object.entries(endpoints)) {
    named.set(name, {
      // An endpoint that only names its recipes keeps the secrets that the environment gave it.
      secrets:
        given?.map((secret, index) => ({ setting: `endpoints.${name}.secrets.${index}`, secret })) ??
        named.get(name)?.secrets ??
        [],
      unsigned,
    });
  }
  return named;
}

function nameSecret(setting: string, secret: string | undefined): readonly NamedSecret[] {
  return secret === undefined ? [] : [{ setting, secret }];
}

/** Each of `secrets` that is there already, in `others` or further ahead; none of them is repeated. */
function listDoubles(
  others: readonly NamedSecret[],
  secrets: readonly NamedSecret[],
): readonly SettingProblem[] {
  return secrets.flatMap(({ setting, secret }, index) => {
    const first = [...others, ...secrets.slice(0, index)].find((other) => other.secret === secret);
    if (first === undefined) return [];
    return [{ setting, found: `the same as ${first.setting}`, expected: 'a secret of its own' }];
  });
}
