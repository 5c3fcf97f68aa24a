import { type Client, createClient, type Person, type ReportReader } from '@aftermeet/client';
import {
  type Backend,
  createInbox,
  createJobQueue,
  type Inbox,
  type JobQueue,
  type Log,
  openBackend,
  silentLog,
} from '@aftermeet/queue';
import { createReceiver, type Receiver } from '@aftermeet/receiver';
import {
  approveEffect,
  type ConfiguredRecipe,
  type EndpointRecipes,
  listHeld,
  openOperatorTools,
  startWorker,
  type Worker,
} from '@aftermeet/recipes';
import {
  createSandbox,
  createVendorEmulators,
  type Sandbox,
  type SlackEmulatorSettings,
  type VendorEmulators,
} from '@aftermeet/sandbox';
import { openTestStore, type TestStore } from '@aftermeet/test/support';
import { expect } from 'vitest';

import type { MailSettings } from '../../../recipes/src/destinations/email/settings.ts';
import type { Destinations } from '../../../recipes/src/destinations/settings.ts';
import type { WorkerStep } from '../../../recipes/src/engine/outcome.ts';
import { makeDue } from './make-due.ts';

const SECRET = 'whsec_0123456789abcdef';
const API_KEY = 'sandbox_key';

/** Long enough for a loaded machine. */
const withinMs = 20_000;

/**
 * On a loaded machine the receiver may refuse a delivery because its store was slow, and an emulator in this process may
 * answer late. A retry resolves both; these delays keep it short.
 */
const retryDelaysMs = Array.from({ length: 100 }, () => 200);
const usual = { gapMs: 0, timeoutMs: 60_000, firstWaitMs: 50, maxWaitMs: 500, graceMs: 100 };
const destinationNames = ['slack', 'notion', 'email', 'http', 'folder'];

const policies = { slack: usual, notion: usual, email: usual, http: usual, folder: usual };

/** Who sat in the sample meetings. The sandbox knows their names alone. */
const sampleGuests: readonly Person[] = [
  { name: 'Maya Lindqvist', email: 'maya@example.com' },
  { name: 'Tom Okafor', email: 'tom@example.com' },
  { name: 'Priya Raman', email: 'priya@customer.example' },
];

/** Those of them who are in Slack. */
const slackUsers = [
  { id: 'U0MAYA', name: 'maya', realName: 'Maya Lindqvist', email: 'maya@example.com' },
  { id: 'U0TOM', name: 'tom', realName: 'Tom Okafor', email: 'tom@example.com' },
];

/** How a meeting ends. */
interface MeetingResult {
  readonly title?: string;
  readonly scriptId?: string;
  readonly isTranscriptEmpty?: boolean;
}

/**
 * Everything between the service and the destinations, in this process: each recipe has an endpoint of its own name, so
 * that a delivery runs it alone.
 */
export interface RecipeHarness {
  readonly queueUrl: string;
  readonly sandbox: Sandbox;
  readonly client: Client;
  readonly vendors: VendorEmulators;
  /** Of the effects that came to an end, oldest first. */
  readonly steps: readonly WorkerStep[];
  /** Records a meeting whose events go to the recipe; nothing is delivered before it ends. */
  record(recipe: string, title?: string): Promise<string>;
  /** Records a meeting, lets it end, and waits until all that it causes has ended. Returns its id. */
  hold(recipe: string, result?: MeetingResult): Promise<string>;
  /** Lets it end once more: its delivery has a time of its own. */
  holdAgain(meetingId: string, result?: MeetingResult): Promise<void>;
  /** As a person does in the service: the report says something else from then on. */
  editSummary(meetingId: string, text: string): Promise<void>;
  /** Lets it fail. */
  fail(meetingId: string, reason: string): Promise<void>;
  /** Lets the next moment of a recipe's schedule come now, and waits until all that it causes has ended. */
  runByClock(recipe: string): Promise<void>;
  /** Approves everything that waits for approval, and waits until it is sent. */
  approveAll(): Promise<void>;
  /** From then on the worker's clock is so much later, as if it had waited. */
  passTime(ms: number): void;
  close(): Promise<void>;
}

export interface HarnessOptions {
  /** By the name of their endpoint. */
  readonly recipes: Readonly<
    Record<string, Omit<ConfiguredRecipe, 'name' | 'when'> & Partial<ConfiguredRecipe>>
  >;
  /** Endpoints that run several of them. */
  readonly endpoints?: Readonly<Record<string, readonly string[]>>;
  readonly mail?: Partial<MailSettings>;
  readonly slack?: SlackEmulatorSettings;
  /** Who people are, as the settings say. */
  readonly people?: Destinations['people'];
  /** Who takes part in every meeting. */
  readonly guests?: readonly Person[];
  /** The worker's log. */
  readonly log?: Log;
}

export async function openRecipeHarness(options: HarnessOptions): Promise<RecipeHarness> {
  const store = await openTestStore('postgres');
  const backend = await openBackend(store.queueUrl, { log: silentLog });
  const [inbox, queue] = await Promise.all([
    createInbox(backend, { log: silentLog }),
    createJobQueue(backend),
  ]);
  const vendors = await createVendorEmulators({ slack: { users: slackUsers, ...options.slack } });
  const sandbox = createSandbox({ apiKey: API_KEY, retryDelaysMs });
  const { url } = await sandbox.listen();
  const client = createClient({ baseUrl: url, apiKey: API_KEY });
  const receiver = openReceiver(inbox, Object.keys(routeRecipes(options)));
  const { url: hooks } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const steps: WorkerStep[] = [];
  let passedMs = 0;
  const clock = (): number => Date.now() + passedMs;
  const worker = await openWorker({ backend, client, vendors, options, steps, clock });
  const parts = { store, backend, inbox, queue, vendors, sandbox, receiver, worker };

  const rest = (): Promise<void> => waitUntilIdle(sandbox, queue);
  let links = 0;
  const record = async (recipe: string, title = 'Launch review'): Promise<string> => {
    links += 1;
    const { meetingId } = await client.recordings.start({
      link: `https://zoom.us/j/${links}`,
      title,
      webhookUrl: `${hooks}/hooks/${recipe}`,
      webhookSecret: SECRET,
    });
    return meetingId;
  };
  const complete = async (meetingId: string, result: MeetingResult): Promise<void> => {
    sandbox.completeMeeting(meetingId, result);
    await rest();
  };
  return {
    queueUrl: store.queueUrl,
    sandbox,
    client,
    vendors,
    steps,
    record,
    async holdAgain(meetingId, result = {}) {
      // Two events of one meeting in one second would be one and the same.
      sandbox.clock.advance(2000);
      await complete(meetingId, result);
    },
    async hold(recipe, result = {}) {
      const meetingId = await record(recipe, result.title);
      await complete(meetingId, { scriptId: 'launch-review', ...result });
      return meetingId;
    },
    editSummary: (meetingId, text) => editSummary(client, meetingId, text),
    async fail(meetingId, reason) {
      sandbox.failMeeting(meetingId, { reason });
      await rest();
    },
    async runByClock(recipe) {
      await makeDue(backend, recipe);
      await rest();
    },
    async approveAll() {
      const tools = await openOperatorTools(backend, { clock });
      try {
        for await (const entry of listHeld(tools.ledger)) await approveEffect(entry, tools);
      } finally {
        await tools.close();
      }
      await rest();
    },
    passTime: (ms) => void (passedMs += ms),
    close: () => closeAll(parts),
  };
}

function openReceiver(inbox: Inbox, names: readonly string[]): Receiver {
  const byName = new Map(names.map((name) => [name, { secrets: [SECRET] }]));
  return createReceiver({ endpoints: { byName }, inbox, log: silentLog }, { idleGraceMs: 0 });
}

interface WorkerParts {
  readonly backend: Backend;
  readonly client: Client;
  readonly vendors: VendorEmulators;
  readonly options: HarnessOptions;
  readonly steps: WorkerStep[];
  readonly clock: () => number;
}

function openWorker({ backend, client, vendors, options, steps, clock }: WorkerParts): Promise<Worker> {
  const destinations: Destinations = {
    slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
    notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
    people: options.people,
    email: { smtpUrl: vendors.mail.url, from: 'Aftermeet <bot@example.com>', to: [], ...options.mail },
  };
  return startWorker({
    backend,
    client: withGuests(client, options.guests ?? sampleGuests),
    service: client,
    recipes: Object.entries(options.recipes).map(([name, recipe]) => ({ name, when: {}, ...recipe })),
    endpointRecipes: routeRecipes(options),
    destinations,
    workspace: 'active',
    policies,
    clock,
    log: options.log ?? silentLog,
    observe: (step) => void steps.push(step),
  });
}

async function editSummary(client: Client, meetingId: string, text: string): Promise<void> {
  const answer = await client.reports.get(meetingId);
  const template = answer.ready ? answer.report.templates[0] : undefined;
  await client.reports.editBlock({
    meetingId: meetingId,
    templateId: template?.id ?? expect.fail('the report has no template'),
    entityName: 'summary',
    newSummaryText: text,
  });
}

/** Each recipe at an endpoint of its own name. */
function routeRecipes({ recipes, endpoints = {} }: HarnessOptions): EndpointRecipes {
  return { ...Object.fromEntries(Object.keys(recipes).map((name) => [name, [name]])), ...endpoints };
}

/** The service as it is, but for who took part. */
function withGuests(client: Client, guests: readonly Person[]): ReportReader {
  return {
    reports: {
      get: async (meetingId, options) => {
        const answer = await client.reports.get(meetingId, options);
        return answer.ready ? { ready: true, report: { ...answer.report, participants: guests } } : answer;
      },
    },
  };
}

/** Waits until no delivery is pending and no job is left. On timeout the failure lists what is left. */
async function waitUntilIdle(sandbox: Sandbox, queue: JobQueue): Promise<void> {
  const listOpen = async (): Promise<readonly string[]> => {
    const coming = sandbox.deliveries().filter(({ state }) => state === 'waiting').length;
    // In this order: what is due adds effects, as an event does before it is done, and an effect those that follow it.
    const due = await queue.counts('schedule');
    const events = await queue.counts('event');
    const effects = await Promise.all(destinationNames.map((name) => queue.countEffects(name)));
    const counts = [
      ['deliveries', coming],
      // Its next moment is always there.
      ['schedule', due.waiting + due.active],
      ...[events, ...effects].map(({ waiting, active, delayed }, index) => {
        return [['event', ...destinationNames][index] ?? '', waiting + active + delayed] as const;
      }),
    ] as const;
    return counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} of ${name}`);
  };
  // Twice: what was counted first may have queued what was counted last.
  for (let round = 0; round < 2; round += 1) {
    await expect.poll(listOpen, { timeout: withinMs, interval: 40 }).toEqual([]);
  }
}

interface OpenParts {
  readonly store: TestStore;
  readonly backend: Backend;
  readonly inbox: Inbox;
  readonly queue: JobQueue;
  readonly vendors: VendorEmulators;
  readonly sandbox: Sandbox;
  readonly receiver: Receiver;
  readonly worker: Worker;
}

async function closeAll(parts: OpenParts): Promise<void> {
  await parts.sandbox.close();
  await parts.receiver.close();
  await parts.worker.close();
  await parts.vendors.close();
  await Promise.all([parts.inbox.close(), parts.queue.close()]);
  await parts.backend.close();
  await parts.store.dispose();
}
