import {
  type Connectors,
  type Destination,
  openConnectors,
  type OpeningTools,
} from '../engine/destination.ts';
import { createPolicies, type DeliveryPolicies, type PolicyChanges } from '../engine/limits/policy.ts';
import type { Rendered } from '../engine/recipe.ts';
import { email } from './email/index.ts';
import { folder } from './folder/index.ts';
import { http } from './http/index.ts';
import type { BuiltInMessage } from './messages.ts';
import { notion } from './notion/index.ts';
import type { Destinations } from './settings.ts';
import { slack } from './slack/index.ts';

/** Every destination that comes with the toolkit. */
const destinations: readonly Destination[] = [slack, notion, email, http, folder];

/** Whether it was rendered for one of them. */
export function isBuiltInMessage(rendered: Rendered): rendered is BuiltInMessage {
  return findDestination(rendered.destination) !== undefined;
}

function findDestination(name: string): Destination | undefined {
  return destinations.find((destination) => destination.name === name);
}

/** The default policies with an installation's changes. */
export function settlePolicies(changes: PolicyChanges = {}): DeliveryPolicies {
  return createPolicies(destinations, changes);
}

/** Opens the destinations that are configured. */
export function openDestinations(
  settings: Destinations,
  tools: Omit<OpeningTools, 'policy'> & { readonly policies: DeliveryPolicies },
): Connectors {
  return openConnectors(destinations, settings, tools);
}

/** Why a recipe cannot use its destination; undefined when it can. */
export function explainMissingDestination(name: string, settings: Destinations): string | undefined {
  const { needs } = findDestination(name) ?? {};
  const own = new Map(Object.entries(settings)).get(name);
  if (needs === undefined || own !== undefined) return undefined;
  return `${name} is not configured: set ${needs}`;
}

/** The option that names the target of a destination, what is expected of it, and what the settings name. */
export function findTargetOption(name: string, settings: Destinations) {
  const { target } = findDestination(name) ?? {};
  const own = new Map(Object.entries(settings)).get(name);
  if (target === undefined) return undefined;
  const { option, expected } = target;
  return { option, expected, configured: own === undefined ? undefined : target.read(own) };
}

/** How long a worker may take to stop, in milliseconds: the longest possible call of a destination. */
export function findLongestCallMs(policies: DeliveryPolicies): number {
  return Math.max(
    ...destinations.map((destination) => {
      const policy = policies.of(destination.name);
      return destination.longestCallMs?.(policy) ?? policy.timeoutMs;
    }),
  );
}
