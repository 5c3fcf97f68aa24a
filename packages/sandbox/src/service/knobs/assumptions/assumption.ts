import type { SandboxOptions } from '../../sandbox-options.ts';
import type { Knobs } from '../knobs.ts';

/** Where the specification leaves something open; `Nowhere` is what it does not mention at all. */
type SpecificationSection =
  | 'What the service does'
  | 'Resources and their fields'
  | 'States and transitions'
  | 'Endpoints'
  | 'Authentication'
  | 'Events'
  | 'Errors'
  | 'Limits'
  | 'Versioning'
  | 'Nowhere';

/** A control route that plays what a service might do. */
export type ControlRoute =
  | 'POST /_sandbox/clock'
  | 'POST /_sandbox/faults'
  | 'POST /_sandbox/key'
  | 'POST /_sandbox/meetings/:id/announce'
  | 'POST /_sandbox/meetings/:id/complete'
  | 'POST /_sandbox/meetings/:id/fail'
  | 'POST /_sandbox/plan';

/** What plays a service for which an assumption does not hold. */
export type Lever =
  | { readonly kind: 'knob'; readonly name: keyof Knobs }
  /** Of `createSandbox`. */
  | { readonly kind: 'option'; readonly name: keyof SandboxOptions }
  | { readonly kind: 'route'; readonly name: ControlRoute };

/** Something that the specification does not show. */
export interface Assumption {
  readonly id: string;
  readonly section: SpecificationSection;
  /** What is left open. */
  readonly open: string;
  /** What the sandbox does; what its knobs say of themselves is not said again. */
  readonly assumed: string;
  /** Whether somebody saw a service of this kind do so, or it is our own decision. */
  readonly basis: 'observed' | 'decided';
  /** At least one. */
  readonly levers: readonly Lever[];
}

export function byKnobs(...names: readonly (keyof Knobs)[]): readonly Lever[] {
  return names.map((name) => ({ kind: 'knob', name }));
}

export function byOptions(...names: readonly (keyof SandboxOptions)[]): readonly Lever[] {
  return names.map((name) => ({ kind: 'option', name }));
}

export function byRoutes(...names: readonly ControlRoute[]): readonly Lever[] {
  return names.map((name) => ({ kind: 'route', name }));
}
