import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createVendorEmulators, type VendorEmulators } from '../emulators/vendor-emulators.ts';
import { startTestSandbox, type TestSandbox } from '../testing/sandbox.ts';
import type { ControlAction, ServerName } from './action.ts';
import { controlActions } from './actions.ts';

let service: TestSandbox;
let vendors: VendorEmulators;
let urls: Readonly<Record<ServerName, string>>;

beforeAll(async () => {
  service = await startTestSandbox();
  vendors = await createVendorEmulators();
  const { slack, notion, mail } = vendors;
  urls = { service: service.url, slack: slack.url, notion: notion.url, mail: mail.controlUrl };
});

afterAll(() => Promise.all([service.sandbox.close(), vendors.close()]));

async function call(place: ServerName, { route }: ControlAction, body?: object) {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(`${urls[place]}/_sandbox${path.replace(':id', 'unknown')}`, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return { status: response.status, answer: (await response.json()) as { readonly message?: string } };
}

/** What an action reads of its body. */
function listFields({ route, arguments: known = {} }: ControlAction): readonly string[] {
  return Object.keys(known).filter((name) => !route.includes(`/:${name}`));
}

const named = controlActions.map((action) => [action.route, action] as const);

describe('the table of actions', () => {
  it('has each route and each command once', () => {
    const routes = controlActions.map(({ route }) => route);
    const commands = controlActions.flatMap(({ command }) => command ?? []);
    expect([routes, commands]).toEqual([[...new Set(routes)], [...new Set(commands)]]);
  });

  it.each(named)(
    '%s has its arguments, a way to show its answer, and its row in the documentation',
    (_, action) => {
      const { route, arguments: known = {}, method, path } = { ...action, ...splitRoute(action) };
      expect(route.includes(':id')).toBe(Object.hasOwn(known, 'id'));
      if (action.says === undefined && action.command !== undefined) expect(method).toBe('GET');
      const page = action.at?.includes('service') === false ? 'emulators' : 'sandbox';
      const text = readFileSync(new URL(`../../../../docs/${page}.md`, import.meta.url), 'utf8');
      expect(text).toContain(`\`${method} ${path}\``);
    },
  );

  it.each(named)('%s is at its servers alone', async (_, action) => {
    for (const place of ['service', 'slack', 'notion', 'mail'] as const) {
      const { answer } = await call(place, action);
      const isThere = !/^This (?:sandbox|emulator) has no such control route\.$/.test(answer.message ?? '');
      expect([place, isThere]).toEqual([place, (action.at ?? ['service']).includes(place)]);
    }
  });

  const read = named.filter(([, { route, takesBody }]) => !route.startsWith('GET') && takesBody !== true);

  it.each(read)('%s refuses a field that it does not have', async (_, action) => {
    const [place = 'service'] = action.at ?? [];
    expect(await call(place, action, { nonsense: 1 })).toMatchObject({
      status: 400,
      answer: { message: expect.stringMatching(/^The body: has no field of this name; /) as string },
    });
  });

  const fields = named.flatMap(([route, action]) =>
    listFields(action).map((name) => [route, name, action] as const),
  );

  it.each(fields.filter(([, , { command }]) => command !== 'faults add'))(
    '%s refuses a wrong %s, and names it',
    async (_, name, action) => {
      // No argument may be a list with a list in it; those that are needed come first.
      const right = action.command === 'announce' && name !== 'event' ? { event: 'x' } : {};
      const { status, answer } = await call('service', action, { ...right, [name]: [[]] });
      expect([status, answer.message]).toEqual([400, expect.stringMatching(new RegExp(`^${name}[.: ]`))]);
    },
  );
});

function splitRoute({ route }: ControlAction) {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.slice(1).replace(':id', 'ID') };
}
