import { meetingStates } from '@aftermeet/contract';
import { z } from 'zod';

const word = z.string().min(1).max(64);

/** How the sandbox answers. */
export const answerKnobs = {
  extraFields: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether every object of every JSON answer has a field that nobody knows.' }),
  stateWords: z
    .partialRecord(z.enum(meetingStates), word)
    .default({})
    .meta({
      description: 'Other words for the states of a meeting, wherever a state is told.',
      examples: [{ recording: 'in_progress', new: 'finished' }],
    }),
  startAnswer: z.enum(['json', 'nested', 'id_text']).default('json').meta({
    description:
      'The answer to a started recording: `meeting_id` and what is known of it, the same within `data`, or the id as plain text.',
  }),
  statusAnswer: z.enum(['text', 'json', 'nested', 'map']).default('text').meta({
    description:
      'The answer of the status query: the word as plain text, `{status}`, `{data:{meeting_id,status}}`, or an object that holds the word under the id.',
  }),
  notReadyAnswer: z
    .enum(['text', 'json'])
    .default('text')
    .meta({ description: 'The 202 of a report that is not ready: a sentence, or `{status,message}`.' }),
  acknowledgement: z.enum(['observed', 'json', 'text', 'empty']).default('observed').meta({
    description:
      'The answers to stop, cancel, attach, detach, a block edit and every chunk of a file but the last: as observed or assumed, `{success:true}`, `OK`, or 204 without a body.',
  }),
  duplicateUploadAnswer: z.enum(['flagged', 'unflagged', 'conflict']).default('flagged').meta({
    description:
      'The answer to a file that was uploaded before: its meeting with `duplicate:true`, its meeting and no more, or 409 with its meeting.',
  }),
  searchShape: z.enum(['followups', 'meetings', 'items', 'data', 'bare']).default('followups').meta({
    description:
      'The page of a search: `{total,followups}`, `{total,meetings}`, `{items}`, `{data:{total,items}}`, or the list alone.',
  }),
  meetingFields: z.enum(['observed', 'specified']).default('observed').meta({
    description:
      'The names in a found meeting: `id`, `name` and `date`, or `meeting_id`, `title`, `local_date_time` as the specification names them elsewhere.',
  }),
  tagListShape: z.enum(['tags', 'items', 'data', 'bare']).default('tags').meta({
    description:
      'The page of tags: `{tags,nextCursor}`, `{items,next_cursor}`, `{data:{tags,nextCursor}}`, or the first page alone as a list.',
  }),
  tagAnswer: z
    .enum(['tag', 'data', 'bare'])
    .default('tag')
    .meta({ description: 'The answer to a new tag: `{tag,created}`, `{data:tag}`, or the tag itself.' }),
  templateListShape: z
    .enum(['templates', 'custom_templates', 'items', 'data', 'bare'])
    .default('templates')
    .meta({
      description:
        'The list of custom templates: under `templates`, `custom_templates`, `items` or `data`, or the list alone.',
    }),
  templateFields: z.enum(['id_and_name', 'specified', 'more']).default('id_and_name').meta({
    description:
      'The fields of a custom template: `id` and `name`, `template_id` and `template_name`, or `id`, `name` and others that nobody promised.',
  }),
  errorShape: z.enum(['json', 'nested', 'text']).default('json').meta({
    description: 'An error: `{code,message,field}`, the same within `error`, or the message as plain text.',
  }),
  errorCodes: z
    .record(z.string().min(1).max(100), z.string().min(1).max(100))
    .default({})
    .meta({
      description: 'Other codes for those of the sandbox.',
      examples: [{ TAG_NAME_EXISTS: 'tag_exists' }],
    }),
};
