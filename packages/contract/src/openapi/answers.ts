import type * as z from 'zod';

import {
  chunkShape,
  createdTagShape,
  generationShape,
  meetingPageShape,
  notReadyShape,
  reportShape,
  statusShape,
  tagLinkShape,
  tagPageShape,
} from '../answer-shapes.ts';
import type { Operation } from '../operation.ts';
import type { OperationId } from '../operations.ts';

/** What an answer carries, as documents show it; readers are more tolerant. */
export interface AnswerBody {
  /** A range of all types (RFC 9110) where the specification shows no kind. */
  readonly mediaType: string;
  /** Absent for bytes, and where the specification shows no shape and none was observed. */
  readonly schema?: z.ZodType;
  /** True when the media type is not in the specification. What a schema says of itself stands in its meta. */
  readonly observed?: true;
}

/** A success of an operation. */
export interface OperationAnswer {
  readonly status: 200 | 201 | 202;
  /** What it means here. */
  readonly meaning: string;
  readonly bodies: readonly AnswerBody[];
  /** True when the status is not in the specification. */
  readonly observed?: true;
}

/** The success of the specification: status 200. */
function succeed(meaning: string, ...bodies: readonly AnswerBody[]): OperationAnswer {
  return { status: 200, meaning, bodies };
}

function jsonBody(schema: z.ZodType): AnswerBody {
  return { mediaType: 'application/json', schema };
}

/** A body of which the specification says nothing, neither its kind nor its shape. */
const bodyNotShown: AnswerBody = { mediaType: '*/*' };

/** JSON whose shape the specification does not show. */
const jsonNotShown: AnswerBody = { mediaType: 'application/json' };

/** The registered media type of each format of an export; what the service sends is not shown. */
const exportMediaTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'text/markdown',
];

/** The successes that are known of an operation; others may come. */
export function listAnswers({ id }: Pick<Operation, 'id'>): readonly OperationAnswer[] {
  return Object.entries(answers).find(([known]) => known === id)?.[1] ?? [];
}

const answers: Readonly<Record<OperationId, readonly OperationAnswer[]>> = {
  'recordings.start': [
    succeed('The recording is started or scheduled. The body is not shown.', bodyNotShown),
  ],
  'recordings.status': [
    {
      status: 200,
      meaning: 'The status of the meeting.',
      bodies: [{ mediaType: 'text/plain', schema: statusShape, observed: true }],
    },
  ],
  'recordings.stop': [succeed('The bot stops. The body is not shown.', bodyNotShown)],
  'recordings.cancel': [succeed('The recording is cancelled. The body is not shown.', bodyNotShown)],
  'uploads.chunk': [
    succeed(
      'The chunk is taken. The answer to the last one names the meeting; those to the others are not shown.',
      jsonBody(chunkShape),
    ),
  ],
  'reports.get': [
    succeed('The report.', jsonBody(reportShape)),
    {
      status: 202,
      meaning: 'There is no report yet: ask again later.',
      bodies: [{ mediaType: 'text/plain', schema: notReadyShape }],
      observed: true,
    },
  ],
  'reports.generate': [succeed('The report is generated.', jsonBody(generationShape))],
  'reports.editBlock': [succeed('The block is edited. The body is not shown.', bodyNotShown)],
  'templates.list': [succeed('The custom templates. The shape is not shown.', jsonNotShown)],
  'exports.download': [
    succeed('The file.', ...exportMediaTypes.map((mediaType) => ({ mediaType, observed: true }) as const)),
  ],
  'meetings.search': [succeed('One page of the meetings that were found.', jsonBody(meetingPageShape))],
  'tags.list': [succeed('One page of the tags.', jsonBody(tagPageShape))],
  'tags.create': [
    succeed('The tag is created.', jsonBody(createdTagShape)),
    { ...succeed('The tag is created.', jsonBody(createdTagShape)), status: 201, observed: true },
  ],
  'tags.attach': [succeed('The tag is on the meeting.', jsonBody(tagLinkShape))],
  'tags.detach': [succeed('The tag is not on the meeting.', jsonBody(tagLinkShape))],
};
