import type { Order } from '../order.ts';
import { type Assigned, assignments } from '../parameters.ts';
import { plainAddress } from '../plain-address.ts';

export const exampleService = 'https://service.example';

/** An expression for a value of the node "Settings". */
export function setting(name: string): string {
  return `$('Settings').first().json.${name}`;
}

/** The one node in which everything is set that is no secret. */
export function addSettings(order: Order, own: Readonly<Record<string, Assigned>>): void {
  const { canvas, options } = order;
  const baseUrl = plainAddress(order, 'base_url', options.serviceUrl ?? exampleService);
  canvas.add({
    name: 'Settings',
    kind: 'set',
    parameters: assignments({ base_url: baseUrl, ...own }),
  });
}
