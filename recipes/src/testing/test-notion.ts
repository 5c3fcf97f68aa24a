import {
  createNotionEmulator,
  type InterceptedCall,
  type Interception,
  type NotionEmulatorSettings,
} from '@aftermeet/sandbox';
import { Client } from '@notionhq/client';
import { onTestFinished } from 'vitest';

import { openNotion } from '../destinations/notion/connector.ts';
import type { NotionPage } from '../destinations/notion/page.ts';
import type { Preparation } from '../engine/prepared-send.ts';
import { bringToEnd, startTestTime, takePrepared } from './bring-to-end.ts';
import { referenceOf } from './test-slack.ts';

interface TestNotionOptions extends NotionEmulatorSettings {
  readonly timeoutMs?: number;
}

/** Where a test page goes: the default data source, unless another one is named. */
interface TestLabel {
  readonly effectKey?: string;
  readonly target?: string;
}

/** The connector and the emulator it talks to, until the test ends. */
export async function openTestNotion({ timeoutMs = 5000, ...options }: TestNotionOptions = {}) {
  const time = startTestTime();
  /** Decides what happens to a request. */
  const state = { rule: (_request: InterceptedCall): Interception => 'pass' };
  const emulator = createNotionEmulator({
    clock: time.clock,
    intercept: (request) => state.rule(request),
    ...options,
  });
  const { url } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const settings = { token: 'ntn_test', baseUrl: url, dataSourceId: emulator.dataSourceId };
  const notion = openNotion(settings, time.clock, { timeoutMs }, time.wait);

  const tryPrepare = (
    page: NotionPage,
    { effectKey = 'k1', target = emulator.dataSourceId }: TestLabel = {},
  ): Promise<Preparation> => notion.prepare(page, { effectKey, target });
  const prepare = async (page: NotionPage, label: TestLabel = {}) =>
    takePrepared(await tryPrepare(page, label));

  return {
    ...time,
    state,
    emulator,
    settings,
    /** The connection of another app. */
    client: new Client({ auth: 'ntn_other', baseUrl: url, logger: () => {} }),
    tryPrepare,
    prepare,
    /** Sends a page as the engine does, with probes and the rest; its reference. */
    send: async (page: NotionPage, label: TestLabel = {}): Promise<string> => {
      const outcome = await bringToEnd(await prepare(page, label));
      if (outcome?.result !== 'sent') throw new Error(JSON.stringify(outcome));
      return referenceOf(outcome);
    },
    /** A property's value as JSON. */
    readProperty: (name: string, at = 0): string | undefined =>
      JSON.stringify(emulator.received()[at]?.properties[name]?.value),
    /** What happens to every request of that kind from now on. */
    on: (kind: 'create' | 'append' | 'other', interception: Interception): void => {
      state.rule = (request) => (kindOf(request) === kind ? interception : 'pass');
    },
  };
}

function kindOf({ method, path }: InterceptedCall): 'create' | 'append' | 'other' {
  if (method === 'POST' && path === '/v1/pages') return 'create';
  return path.endsWith('/children') ? 'append' : 'other';
}

/** Notion's answer with an error. */
export function notionError(
  status: number,
  code: string,
  {
    headers = {},
    ...more
  }: { readonly headers?: Record<string, string>; readonly [name: string]: unknown } = {},
): Interception {
  return { status, headers, body: { object: 'error', status, code, message: 'secret title', ...more } };
}
