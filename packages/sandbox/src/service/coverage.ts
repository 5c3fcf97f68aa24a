/** Which operations of the contract the sandbox plays; every other one answers 501 and says so. */
export const coverage = {
  played: ['recordings.start', 'recordings.status', 'recordings.stop', 'recordings.cancel', 'reports.get'],
  notPlayed: [
    'uploads.chunk',
    'reports.generate',
    'reports.editBlock',
    'templates.list',
    'exports.download',
    'meetings.search',
    'tags.list',
    'tags.create',
    'tags.attach',
    'tags.detach',
  ],
} as const;

export type PlayedOperationId = (typeof coverage.played)[number];
