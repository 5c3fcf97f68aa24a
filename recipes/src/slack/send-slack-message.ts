import type { SlackSettings } from '../destinations.ts';
import type { ServiceActions } from '../open-carriers.ts';
import {
  type Carrier,
  type NotSent,
  type Preparation,
  type ProbeResult,
  sendTimeoutMs,
  type ShipmentLabel,
} from '../shipment.ts';
import { fillMentions } from './fill-mentions.ts';
import { findSlackMessage } from './find-slack-message.ts';
import { openClient } from './open-client.ts';
import { type PostingTools, postMessage, updateMessage } from './post-message.ts';
import { listPlaces, reachPerson, wordFor } from './reach-person.ts';
import { shipFile } from './ship-file.ts';
import { createSlackDirectory, type SlackDirectory } from './slack-directory.ts';
import type { SlackMessage } from './slack-message.ts';
import { readReference } from './slack-reference.ts';

interface SlackTools extends PostingTools {
  readonly directory: SlackDirectory;
  /** Absent: nothing can be exported. */
  readonly service: ServiceActions | undefined;
}

/**
 * Opens Slack through its Web API. The SDK neither retries nor waits: the ledger owns retries. The effect's key travels
 * as message metadata, which is how an unsettled message is found again. `service` exports what is posted as a file.
 */
export function openSlack(
  settings: SlackSettings,
  timeoutMs = sendTimeoutMs,
  service?: ServiceActions,
  clock: () => number = Date.now,
): Carrier<SlackMessage> {
  const client = openClient(settings, timeoutMs);
  const hastyClient = openClient(settings, timeoutMs / 2);
  const directory = createSlackDirectory(client, clock);
  const tools: SlackTools = { client, hastyClient, timeoutMs, clock, directory, service };
  return {
    prepare: (message, label) => prepareMessage(message, label, tools),
    close: async () => {},
  };
}

async function prepareMessage(
  message: SlackMessage,
  label: ShipmentLabel,
  tools: SlackTools,
): Promise<Preparation> {
  const thread = readThread(label);
  if (thread !== undefined && 'result' in thread) return thread;
  if (message.file !== undefined) return shipFile(message.file, label, thread, tools);
  const place = await reachPerson(message, label.target, tools.directory);
  if ('result' in place) return place;
  const { channel } = place;
  const filled = { ...message, blocks: await fillMentions(message, tools.directory) };
  const threadTs = thread === undefined ? {} : { threadTs: thread.ts };
  const { effectKey } = label;
  const { client, timeoutMs } = tools;
  const probe = async (sinceMs: number): Promise<ProbeResult> => {
    for (const target of listPlaces(message, channel)) {
      const found = await findSlackMessage(client, { effectKey, target, ...threadTs }, sinceMs, timeoutMs);
      if (found.result !== 'absent') return found;
    }
    return { result: 'absent' };
  };
  return {
    result: 'ready',
    shipment: {
      timeoutMs,
      send: () => postMessage(wordFor(filled, channel), { channel, ...threadTs, effectKey }, tools),
      probe,
      update: (reference) =>
        updateMessage(wordFor(filled, readReference(reference)?.channel), reference, tools),
    },
  };
}

/** The message that this one answers. */
function readThread({
  parent,
}: ShipmentLabel): { readonly channel: string; readonly ts: string } | NotSent | undefined {
  if (parent === undefined) return undefined;
  const cause = 'what is known of the message that it belongs to does not say where that is';
  return readReference(parent) ?? { result: 'permanent', cause, contact: 'none' };
}
