const platformHosts: readonly (readonly [host: string, source: string])[] = [
  ['meet.google.com', 'gmeet'],
  ['zoom.us', 'zoom'],
  ['telemost.yandex.ru', 'yandextelemost'],
  ['telemost.360.yandex.ru', 'yandextelemost'],
  ['jazz.sber.ru', 'sberjazz'],
  ['salutejazz.ru', 'sberjazz'],
  ['trueconf.com', 'trueconf'],
  ['trueconf.ru', 'trueconf'],
  ['ktalk.ru', 'konturtalk'],
  ['teams.microsoft.com', 'msteams'],
  ['teams.live.com', 'msteams'],
  ['meet.jit.si', 'jitsi'],
  ['mts-link.ru', 'mtslink'],
  ['larksuite.com', 'lark'],
  ['feishu.cn', 'lark'],
];

/** The platform of a link whose recorder named none; `gmeet` where the host tells nothing (assumed). */
export function guessSource(link: string): string {
  const { hostname } = new URL(link);
  const known = platformHosts.find(([host]) => hostname === host || hostname.endsWith(`.${host}`));
  return known?.[1] ?? 'gmeet';
}
