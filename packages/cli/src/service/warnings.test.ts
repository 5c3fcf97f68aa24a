import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve, type TestService } from '../testing/serve.ts';

let service: TestService;

/** Lists with an entry that nothing can be made of. */
const lists: Readonly<Record<string, unknown>> = {
  tags: { tags: [{ id: 't_1', name: 'Sales' }, 5] },
  templates: { templates: [{ id: 't_2', name: 'Own' }, 5] },
  meetings: { meetings: [{ id: 'm_1', title: 'Weekly sync' }, 5], total: 2 },
};

beforeAll(async () => {
  service = await serve((request, response) => {
    const name = Object.keys(lists).find((each) => request.url?.includes(each)) ?? 'meetings';
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(lists[name]));
  });
});

afterAll(() => service.close());

describe('what of a list cannot be read', () => {
  it.each([['tags', 'list'], ['templates'], ['search']])(
    'is told on stderr by %s, and stands in --json',
    async (...words) => {
      const environment = { SERVICE_BASE_URL: service.url, SERVICE_API_KEY: 'key_0123456789' };
      const plain = await runAftermeet(words, { environment });
      expect(plain.code).toBe(0);
      expect(plain.stderr).toMatch(/^[^\n]*could not be read[^\n]*\n$/);
      const json = await runAftermeet([...words, '--json'], { environment });
      expect(json.stderr).toBe(plain.stderr);
      const { items, warnings } = JSON.parse(json.stdout) as { items: unknown[]; warnings: string[] };
      expect(items.length).toBeGreaterThan(0);
      expect(warnings.map((warning) => `${warning}\n`).join('')).toBe(plain.stderr);
    },
  );
});
