import type { Destinations } from '../destinations.ts';
import type { ConfiguredRecipe, PrebuiltRecipe } from '../recipe.ts';
import type { Canvas } from './canvas.ts';

/** What a workflow can know of the installation. It takes no secret of it. */
export interface N8nOptions {
  /** The address of the service; without it an example that has to be replaced. */
  readonly serviceUrl?: string;
  /** `X-Service` by default. */
  readonly headerPrefix?: string;
  /** How far the clock of a delivery may be off; 300 seconds by default. */
  readonly toleranceSeconds?: number;
  readonly destinations?: Destinations;
}

/** What has to be known of a prebuilt recipe; `events` are those that the service sends. */
export type RecipeFacts = Pick<PrebuiltRecipe, 'description' | 'events' | 'transcript' | 'reads'>;

/** A recipe on its way to be a workflow. */
export interface Order {
  readonly configured: ConfiguredRecipe;
  readonly prebuilt: RecipeFacts;
  readonly options: N8nOptions;
  readonly canvas: Canvas;
  /** What the workflow cannot do, or has to be told, in whole sentences. */
  readonly notes: string[];
  /** The value of an option of the recipe, as text. An option that nobody asked for is told in the notes. */
  text(name: string): string | undefined;
  list(name: string): readonly string[] | undefined;
  /** The texts of an option that gives each name one; without the option none. */
  pairs(name: string): readonly (readonly [string, string])[];
}

/** Takes an order down. Options are read by their names, so that a secret among them can't slip through. */
export function takeOrder(
  configured: ConfiguredRecipe,
  prebuilt: RecipeFacts,
  options: N8nOptions,
  canvas: Canvas,
): Order & { readonly leftOut: () => readonly string[] } {
  const asked = new Set<string>();
  const read = (name: string): unknown => {
    asked.add(name);
    return Object.hasOwn(configured.with, name) ? configured.with[name] : undefined;
  };
  return {
    configured,
    prebuilt,
    options,
    canvas,
    notes: [],
    text: (name) => {
      const value = read(name);
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : undefined;
    },
    list: (name) => {
      const value = read(name);
      return listTexts(value);
    },
    pairs: (name) => {
      const value = read(name);
      const entries: readonly (readonly [string, unknown])[] =
        typeof value === 'object' && value !== null ? Object.entries(value) : [];
      return entries.flatMap(([key, one]) => (typeof one === 'string' ? [[key, one] as const] : []));
    },
    leftOut: () => Object.keys(configured.with).filter((name) => !asked.has(name)),
  };
}

/** One text or a list of them, as a list; anything else is nothing. */
function listTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return undefined;
  return value.filter((one: unknown) => typeof one === 'string');
}
