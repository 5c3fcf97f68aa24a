import type { Report } from '@aftermeet/client/pure';

/** `[00:01:05] Ann: Good morning`, a line for each piece; what is not known of it is left out. Pure. */
export function writeTranscript(segments: Report['transcript']): string {
  return segments
    .map(({ startSeconds, speaker, text }) => {
      const time = startSeconds === undefined ? '' : `[${writeClock(startSeconds)}] `;
      const line = text.replaceAll(/\s*\n\s*/g, ' ');
      return `${time}${speaker === undefined ? '' : `${speaker}: `}${line}`;
    })
    .join('\n');
}

function writeClock(seconds: number): string {
  const whole = Math.floor(seconds);
  return [whole / 3600, (whole / 60) % 60, whole % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}
