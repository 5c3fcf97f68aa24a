import { z } from 'zod';

const recordingFields = [
  'source',
  'title',
  'local_date_time',
  'cron',
  'template_name',
  'participants',
  'webhook_url',
  'webhook_secret',
] as const;

const parameterName = z.string().regex(/^[A-Za-z_][\w.-]{0,63}$/, {
  error: 'must be the name of a query parameter: letters, digits, _, . and -, at most 64',
});

const observedParameters = { authors: 'authors', dateTo: 'dateTo', page: 'page', perPage: 'perPage' };

const otherParameters = ['q', 'tagIds', 'sources', 'dateFrom', 'scope'];
const parameterCount = Object.keys(observedParameters).length + otherParameters.length;

/** What the sandbox takes. */
export const requestKnobs = {
  sources: z
    .union([z.literal('any'), z.array(z.string().min(1).max(100)).min(1).max(100)])
    .default('any')
    .meta({
      description:
        'Platform identifiers that a recording may name as its source; others are refused with 400.',
      examples: [['gmeet', 'zoom']],
    }),
  requiredRecordingFields: z
    .array(z.enum(recordingFields))
    .max(recordingFields.length)
    .default([])
    .meta({
      description: 'Fields of a recording besides `link` without which it is refused with 400.',
      examples: [['title', 'source']],
    }),
  searchParameters: z
    .strictObject({
      authors: parameterName.default(observedParameters.authors),
      dateTo: parameterName.default(observedParameters.dateTo),
      page: parameterName.default(observedParameters.page),
      perPage: parameterName.default(observedParameters.perPage),
    })
    .refine((names) => new Set([...Object.values(names), ...otherParameters]).size === parameterCount, {
      error: 'must be four different names, and none of q, tagIds, sources, dateFrom and scope',
    })
    .default(observedParameters)
    .meta({
      description:
        'The names of the search parameters for authors, the upper date bound and paging. A parameter under its old name is an unknown field.',
      examples: [{ authors: 'author', dateTo: 'dateUntil' }],
    }),
  unknownFields: z
    .enum(['refuse', 'ignore'])
    .default('refuse')
    .meta({ description: 'What happens to a field that the service does not know: 400, or nothing.' }),
  unknownTemplate: z.enum(['refuse', 'accept']).default('refuse').meta({
    description:
      'What a recording, an upload and the generation of a report are answered that name a template nobody knows: 404, or a report with the default blocks.',
  }),
  apiVersions: z.enum(['as_shown', 'any']).default('as_shown').meta({
    description:
      'Which versions the paths exist in: as the specification shows them, or each one under `/api/` and under `/api/v1/`, `/api/v2/`, ...',
  }),
};
