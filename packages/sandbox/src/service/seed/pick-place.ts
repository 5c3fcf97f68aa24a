import type { Chooser } from '../../content/generator/create-chooser.ts';
import type { Meeting } from '../meeting.ts';

/** Where a meeting was held: `@` stands for a letter, `#` for a digit. Without a link: a file that was uploaded. */
const places: readonly Pick<Meeting, 'source' | 'link'>[] = [
  { source: 'gmeet', link: 'https://meet.google.com/@@@-@@@@-@@@' },
  { source: 'zoom', link: 'https://zoom.us/j/8#########' },
  { source: 'msteams', link: 'https://teams.microsoft.com/meet/4############' },
  { source: 'yandextelemost', link: 'https://telemost.yandex.ru/j/7#############' },
  { source: 'jitsi', link: 'https://meet.jit.si/@@@@@@@@@@@@' },
  { source: 'upload' },
];

const letters = 'abcdefghijkmnopqrstuvwxyz';

export function pickPlace(choose: Chooser): Pick<Meeting, 'source' | 'link'> {
  const { source, link } = places[choose(places.length)] ?? { source: 'gmeet' };
  if (link === undefined) return { source };
  const filled = link.replaceAll(/[@#]/g, (sign) =>
    sign === '#' ? String(choose(10)) : letters.charAt(choose(letters.length)),
  );
  return { source, link: filled };
}
