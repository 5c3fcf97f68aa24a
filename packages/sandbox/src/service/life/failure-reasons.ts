/** What may go wrong, by the word with which a test asks for it. The texts are free text of the service (as observed); these are assumed. */
const failureReasons = {
  bot_not_admitted: 'The bot was not admitted to the meeting.',
  meeting_never_started: 'The meeting never started: the bot left the waiting room.',
  no_audio: 'Nothing was heard in the meeting.',
  no_audio_track: 'The file has no audio track.',
} as const;

/** The text of a reason: one of the list by its word, or whatever was given. */
export function describeFailure(reason: string): string {
  const known = Object.entries(failureReasons).find(([word]) => word === reason);
  return known?.[1] ?? reason;
}

/** The reason where none is given. */
export function guessFailure(isUpload: boolean): string {
  return isUpload ? failureReasons.no_audio_track : failureReasons.bot_not_admitted;
}
