import { findScript, isScript } from '../../content/find-script.ts';
import type { Meeting } from '../meeting.ts';

/** The meeting with other words spoken; a title that was the sample meeting's own changes with them. Throws `RangeError` for a script that there is not. */
export function holdScript(meeting: Meeting, scriptId: string): Meeting {
  if (!isScript(scriptId)) {
    const message = `There is no sample meeting ${scriptId}; launch-review, de/retrospective/17 and long/6000/1 are some.`;
    throw new RangeError(message);
  }
  const hasOwnTitle = meeting.title !== findScript(meeting.scriptId).name;
  return { ...meeting, scriptId, title: hasOwnTitle ? meeting.title : findScript(scriptId).name };
}
