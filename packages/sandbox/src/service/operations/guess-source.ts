const platformHosts: readonly (readonly [host: string, source: string])[] = [
  ['meet.google.com', 'gmeet'],
  ['zoom.us', 'zoom'],
  ['telemost.yandex.ru', 'yandextelemost'],
  ['teams.microsoft.com', 'msteams'],
  ['meet.jit.si', 'jitsi'],
];

/** The platform of a link whose recorder named none. */
export function guessSource(link: string): string {
  const { hostname } = new URL(link);
  const known = platformHosts.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return known?.[1] ?? 'gmeet';
}
