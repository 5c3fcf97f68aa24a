import { type Platform, platforms } from '@aftermeet/contract';

const names: Readonly<Record<Platform, string>> = {
  gmeet: 'Google Meet',
  jitsi: 'Jitsi',
  konturtalk: 'Kontur Talk',
  lark: 'Lark',
  msteams: 'Microsoft Teams',
  mtslink: 'MTS Link',
  sberjazz: 'SberJazz',
  trueconf: 'TrueConf',
  yandextelemost: 'Yandex Telemost',
  zoom: 'Zoom',
};

/** The platforms as people call them, in the order of their names. The set is open: an expression may give another one. */
export const platformChoices: { name: string; value: Platform }[] = platforms
  .map((value) => ({ name: names[value], value }))
  .toSorted((one, other) => one.name.localeCompare(other.name, 'en', { sensitivity: 'base' }));
