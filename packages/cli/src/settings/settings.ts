import type { Endpoints } from '@aftermeet/receiver';
import type { ConfiguredRecipe, Destinations, PolicyChanges } from '@aftermeet/recipes';

export interface ServiceSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Without `/mcp` and without a trailing slash; absent: the base address. */
  readonly mcpUrl?: string;
}

export interface LogSettings {
  readonly level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Absent: by terminal. */
  readonly format?: 'json' | 'pretty';
}

/** Everything the commands can be told, from the environment and `aftermeet.yaml`, checked. */
export interface Settings {
  /** The settings file that was read; absent: there was none. */
  readonly file?: string;
  readonly service?: ServiceSettings;
  readonly headerPrefix: string;
  readonly endpoints: Endpoints;
  readonly toleranceSeconds: number;
  readonly queueUrl: string;
  readonly host: string;
  readonly port: number;
  /** The receiver's address as the service sees it, without a trailing slash. */
  readonly publicUrl?: string;
  /** Addresses and ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  readonly adminToken?: string;
  readonly destinations: Destinations;
  readonly recipes: readonly ConfiguredRecipe[];
  /** Recipes of an endpoint that names its own; the others get all. */
  readonly endpointRecipes: Readonly<Record<string, readonly string[]>>;
  /** How destinations are treated, where not as usual. */
  readonly policies: PolicyChanges;
  /** How often the worker searches for lost deliveries; absent: never. */
  readonly reconcile?: ReconcileSettings;
  /** Where the worker says how it is; absent: nowhere. */
  readonly workerPort?: number;
  readonly log: LogSettings;
}

export interface ReconcileSettings {
  readonly everyMs: number;
  readonly sinceMs: number;
  /** Whose recipes run. */
  readonly endpoint: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;
