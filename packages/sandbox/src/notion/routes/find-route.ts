import type { NotionRoute } from '../notion-route.ts';
import { notionRoutes } from './list-routes.ts';

export interface FoundRoute {
  readonly route: NotionRoute;
  /** What stands in the path where the route has a name, as it was sent. */
  readonly given: Readonly<Record<string, string>>;
}

/** The route that a call means; undefined: Notion has none, or the stand-in does not play it. */
export function findRoute(method: string, path: string): FoundRoute | undefined {
  const segments = path.split('/');
  for (const route of notionRoutes) {
    const given = route.method === method ? matchPath(route.path.split('/'), segments) : undefined;
    if (given !== undefined) return { route, given };
  }
  return undefined;
}

function matchPath(
  names: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const isSame = (name: string, index: number): boolean =>
    name === segments[index] || (name.startsWith(':') && segments[index] !== '');
  if (names.length !== segments.length || !names.every(isSame)) return undefined;
  return Object.fromEntries(
    names.flatMap((name, index) => (name.startsWith(':') ? [[name.slice(1), segments[index] ?? '']] : [])),
  );
}
