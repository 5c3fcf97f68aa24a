import type { Digest } from '../report/digest.ts';
import { en, type Words } from './en.ts';

/** The digest with the words that we have written into it, such as the titles of sections, in another language. Pure. */
export function localizeDigest(digest: Digest, words: Words): Digest {
  if (words === en) return digest;
  return {
    ...digest,
    title: digest.title === en.untitledMeeting ? words.untitledMeeting : digest.title,
    taskGroups: digest.taskGroups.map((group) =>
      group.owner === undefined ? group : { ...group, owner: nameOwner(group.owner, words) },
    ),
    sections: digest.sections.map((section) => ({ ...section, title: nameSection(section.title, words) })),
  };
}

/** An owner who is known by an address alone has no name in any language. */
export function nameOwner(owner: string, words: Words): string {
  return owner === en.unnamedParticipant ? words.unnamedParticipant : owner;
}

/** A title that the service wrote itself stays. */
function nameSection(title: string, words: Words): string {
  const known = Object.entries(words.sections).find(([english]) => english === title);
  return known?.[1] ?? title;
}
