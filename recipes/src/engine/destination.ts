import type { Client } from '@aftermeet/client';

import type { DeliveryPolicies, DeliveryPolicy } from './limits/policy.ts';
import type { Connector, Preparation, SendLabel } from './prepared-send.ts';
import type { Rendered } from './recipe.ts';

/** What the engine needs of a destination. Everything else about it is its own. */
export interface Destination<Settings = unknown, Message = unknown> {
  readonly name: string;
  /** Where its policy differs from the default. */
  readonly policy?: Partial<DeliveryPolicy>;
  /** What has to be set before it can be used, in the words of the settings; absent: nothing. */
  readonly needs?: string;
  /** The option by which a recipe names its target, where the settings can name one for all recipes. */
  readonly target?: {
    readonly option: string;
    /** What is expected of the option, for people. */
    readonly expected: string;
    read(settings: Settings): string | undefined;
  };
  /** The longest time that one effect may keep a stopping worker; absent: the timeout of one call. Milliseconds. */
  longestCallMs?(policy: DeliveryPolicy): number;
  /** Makes no connection before the first effect. */
  open(settings: Settings, tools: OpeningTools): Connector<Message>;
}

/** The settings of every destination, by its name; one that is not configured is not there. */
export type DestinationSettings = Readonly<Record<string, unknown>>;

/** What attachments and archives need of the service. */
export type ServiceActions = Pick<Client, 'exports' | 'tags' | 'reports' | 'recordings'>;

export interface OpeningTools {
  readonly policy: DeliveryPolicy;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Absent: nothing can be exported or tagged. */
  readonly service?: ServiceActions | undefined;
}

/** Every destination that is configured, open. */
export interface Connectors {
  prepare(rendered: Rendered, label: SendLabel): Promise<Preparation>;
  close(): Promise<void>;
}

interface ConnectorTools extends Omit<OpeningTools, 'policy'> {
  readonly policies: DeliveryPolicies;
}

/** Opens the destinations that are configured, and those that need no settings. */
export function openConnectors(
  destinations: readonly Destination[],
  settings: DestinationSettings,
  { policies, ...tools }: ConnectorTools,
): Connectors {
  const connectors = new Map<string, Connector<unknown>>();
  for (const destination of destinations) {
    const { name, needs } = destination;
    const own = settings[name];
    if (own === undefined && needs !== undefined) continue;
    connectors.set(name, destination.open(own, { ...tools, policy: policies.of(name) }));
  }
  return {
    async prepare({ destination, message }, label) {
      const connector = connectors.get(destination);
      if (connector !== undefined) return await connector.prepare(message, label);
      return { result: 'permanent', cause: `${destination} is not configured any more`, contact: 'none' };
    },
    async close() {
      await Promise.all([...connectors.values()].map((connector) => connector.close()));
    },
  };
}
