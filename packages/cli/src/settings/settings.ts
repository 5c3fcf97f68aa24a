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

/** All settings, from the environment and `aftermeet.yaml`, validated. */
export interface Settings {
  /** The settings file that was read; absent: there was none. */
  readonly file?: string;
  readonly service?: ServiceSettings;
  readonly headerPrefix: string;
  readonly endpoints: Endpoints;
  /** Endpoints that were removed on purpose, and how long their deliveries get 503 before they get 404. */
  readonly removed: { readonly endpoints: readonly string[]; readonly forMs: number };
  readonly toleranceSeconds: number;
  readonly queueUrl: string;
  readonly host: string;
  readonly port: number;
  /** Where console, metrics and API of the receiver listen; absent: on its one address. */
  readonly admin?: { readonly host: string; readonly port: number };
  /** Other receivers on this machine may listen on the same port. */
  readonly reusePort: boolean;
  /** The receiver's address as the service sees it, without a trailing slash. */
  readonly publicUrl?: string;
  /** Addresses and ranges whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number;
  readonly adminToken?: string;
  /** The header by which a trusted proxy names who has logged in there, in lower case. */
  readonly consoleTrustHeader?: string;
  readonly destinations: Destinations;
  readonly recipes: readonly ConfiguredRecipe[];
  /** The recipes of endpoints that name theirs; other endpoints run all recipes. */
  readonly endpointRecipes: Readonly<Record<string, readonly string[]>>;
  /** Destination policies that differ from the defaults. */
  readonly policies: PolicyChanges;
  /** How lost deliveries are searched for; absent: the worker does not. */
  readonly reconcile?: ReconcileSettings;
  /** Port of the worker's health and metrics; absent: none. */
  readonly workerPort?: number;
  readonly log: LogSettings;
}

export interface ReconcileSettings {
  /** Absent: the worker does not search. */
  readonly everyMs?: number | undefined;
  readonly sinceMs: number;
  /** The endpoint of a meeting whose own one is not known. */
  readonly endpoint: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The service's name for the workspace of the API key (specification, "Resources"); part of every effect key. */
export const WORKSPACE = 'active';
