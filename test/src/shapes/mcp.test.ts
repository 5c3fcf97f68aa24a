import { afterAll, beforeAll, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

let house: ShapeHouse;

beforeAll(async () => {
  house = await startShapeHouse();
});

afterAll(() => house.close());

it('tools are called by the names that they are listed under', async () => {
  const meetingId = await house.hold();
  house.sandbox.knobs.turn({
    mcpToolNames: { search_meetings: 'search', get_report: 'report' },
    stateWords: { new: 'fertig' },
  });
  const names = (await house.client.mcp.listTools()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['search', 'report', 'get_transcript']));
  expect(names).not.toContain('search_meetings');
  const found = await house.client.mcp.callTool('search', { query: 'plans' });
  expect(found).toMatchObject({
    isError: false,
    structured: { meetings: [{ meeting_id: meetingId, status: 'fertig' }] },
  });
});
