import type { Markup } from '@aftermeet/pages';

import {
  type Connectors,
  type Destination,
  type Located,
  openConnectors,
  type OpeningTools,
  type Recalled,
  type SentThing,
} from '../engine/destination.ts';
import { createPolicies, type DeliveryPolicies, type PolicyChanges } from '../engine/limits/policy.ts';
import type { Rendered } from '../engine/prepared-send.ts';
import { email } from './email/index.ts';
import { isMailAddress } from './email/mail-address.ts';
import { folder } from './folder/index.ts';
import { http } from './http/index.ts';
import type { BuiltInMessage } from './messages.ts';
import { notion } from './notion/index.ts';
import type { ConfiguredDestination, Destinations } from './settings.ts';
import { slack } from './slack/index.ts';
import { slackMemberId } from './slack/message.ts';

/** Every destination that comes with the toolkit. */
export const builtIn: readonly Destination[] = [slack, notion, email, http, folder];

/** Whether it was rendered for one of them. */
export function isBuiltInMessage(rendered: Rendered): rendered is BuiltInMessage {
  return builtIn.some(({ name }) => name === rendered.destination);
}

/** A message as its reader sees it; undefined: its destination shows none, and JSON has to do. */
export async function drawMessage({ destination, message }: Rendered): Promise<Markup | undefined> {
  return await builtIn.find(({ name }) => name === destination)?.draw?.(message);
}

/** A message as plain text; undefined: its destination has none, and JSON has to do. */
export async function writeMessage({ destination, message }: Rendered): Promise<string | undefined> {
  return await builtIn.find(({ name }) => name === destination)?.write?.(message);
}

/** Those that come with the toolkit, configured or not, and those of the installation. */
export function listDestinations({ own = [] }: Destinations): readonly Destination[] {
  return [...builtIn, ...own.map(({ destination }) => destination)];
}

/** Every destination that can be used, with its settings. */
export function listConfigured({ own = [], ...settings }: Destinations): readonly ConfiguredDestination[] {
  const values = new Map<string, unknown>(Object.entries(settings));
  const known = builtIn.map((destination) => ({ destination, settings: values.get(destination.name) }));
  return [
    ...known.filter((one) => one.settings !== undefined || one.destination.needs === undefined),
    ...own,
  ];
}

/** Where a person sees what was sent; undefined: what that destination sends has no address. */
export async function locateSent(
  destination: string,
  reference: string,
  settings: Destinations,
): Promise<Located | undefined> {
  const configured = findConfigured(destination, settings);
  return await configured?.destination.locate?.(reference, configured.settings, LOCATE_TIMEOUT_MS);
}

const LOCATE_TIMEOUT_MS = 5000;

/** Takes back what was sent; undefined: that destination takes nothing back, or is not configured. */
export async function recallSent(
  destination: string,
  sent: SentThing,
  settings: Destinations,
): Promise<Recalled | undefined> {
  const configured = findConfigured(destination, settings);
  return await configured?.destination.recall?.(sent, configured.settings, RECALL_TIMEOUT_MS);
}

const RECALL_TIMEOUT_MS = 10_000;

function findConfigured(name: string, settings: Destinations): ConfiguredDestination | undefined {
  return listConfigured(settings).find(({ destination }) => destination.name === name);
}

/** Whether what a destination sends has an address, or can be taken back. */
export function canDo(what: 'locate' | 'recall', name: string): boolean {
  return builtIn.some((destination) => destination.name === name && what in destination);
}

/** Whether a text names somebody who can be on the suppression list: an address, or a member of Slack. */
export function canBeSuppressed(text: string): boolean {
  return isMailAddress(text) || slackMemberId.test(text);
}

/** The default policies with an installation's changes. */
export function settlePolicies(
  changes: PolicyChanges = {},
  destinations: Destinations = {},
): DeliveryPolicies {
  return createPolicies(listDestinations(destinations), changes);
}

/** Opens the destinations that are configured. */
export function openDestinations(
  settings: Destinations,
  tools: Omit<OpeningTools, 'policy'> & { readonly policies: DeliveryPolicies },
): Connectors {
  return openConnectors(listConfigured(settings), tools);
}

/** Why a recipe cannot use its destination; undefined when it can. */
export function explainMissingDestination(name: string, settings: Destinations): string | undefined {
  const { needs } = builtIn.find((destination) => destination.name === name) ?? {};
  const isThere = listConfigured(settings).some(({ destination }) => destination.name === name);
  return needs === undefined || isThere ? undefined : `${name} is not configured: set ${needs}`;
}

/** The option that names the target of a destination, what is expected of it, and what the settings name. */
export function findTargetOption(name: string, settings: Destinations) {
  const { target } = builtIn.find((destination) => destination.name === name) ?? {};
  const own = new Map(Object.entries(settings)).get(name);
  if (target === undefined) return undefined;
  const { option, expected } = target;
  return { option, expected, configured: own === undefined ? undefined : target.read(own) };
}

/** How long a worker may take to stop, in milliseconds: the longest possible call of a destination. */
export function findMaxCallMs(policies: DeliveryPolicies, destinations: Destinations = {}): number {
  return Math.max(
    ...listDestinations(destinations).map((destination) => {
      const policy = policies.of(destination.name);
      return destination.maxCallMs?.(policy) ?? policy.timeoutMs;
    }),
  );
}
