import { platforms } from '@aftermeet/contract';
import { expect, it } from 'vitest';

import { guessSource } from './guess-source.ts';

const links: readonly (readonly [link: string, source: string])[] = [
  ['https://meet.google.com/abc-defg-hij', 'gmeet'],
  ['https://us02web.zoom.us/j/1?pwd=x', 'zoom'],
  ['https://telemost.yandex.ru/j/1', 'yandextelemost'],
  ['https://company.ktalk.ru/room', 'konturtalk'],
  ['https://SALUTEJAZZ.ru/room', 'sberjazz'],
  ['https://trueconf.com/c/1', 'trueconf'],
  ['https://teams.live.com/meet/1', 'msteams'],
  ['https://meet.jit.si/Room', 'jitsi'],
  ['https://my.mts-link.ru/j/1', 'mtslink'],
  ['https://vc.larksuite.com/j/1', 'lark'],
  ['https://evil-zoom.us.example/j/1', 'gmeet'],
  ['https://notzoom.us/j/1', 'gmeet'],
  ['http://127.0.0.1/room', 'gmeet'],
];

it.each(links)('takes %s for %s', (link, source) => {
  expect(guessSource(link)).toBe(source);
});

it('knows a host of every platform', () => {
  expect(new Set(links.map(([, source]) => source))).toEqual(new Set(platforms));
});
