import { chooseScript } from '../../content/choose-script.ts';
import type { ContentLanguage } from '../../content/languages.ts';
import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { holdScript } from './hold-script.ts';

/** The meeting as it would have been in another language. */
export function speakLanguage(
  world: Pick<SandboxWorld, 'meetings'>,
  meeting: Meeting,
  language: ContentLanguage,
): Meeting {
  if (meeting.scriptId.startsWith(`${language}/`)) return meeting;
  const number = world.meetings.list().findIndex(({ id }) => id === meeting.id);
  return holdScript(meeting, chooseScript({ language, number }));
}
