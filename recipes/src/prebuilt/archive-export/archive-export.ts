import { createHash } from 'node:crypto';

import { isTimeZone } from '@aftermeet/contract';
import { z } from 'zod';

import { definePrebuiltRecipe } from '../../define-prebuilt-recipe.ts';
import type { Digest } from '../../digest.ts';
import { choosePattern } from '../../folder/choose-pattern.ts';
import { namePlaceholders, writeFileName } from '../../folder/write-file-name.ts';

const formats = ['pdf', 'docx', 'md'] as const;
const format = z.enum(formats, { error: 'pdf, docx or md' });
const tag = z.string().trim().min(1).max(100);
const flag = z.boolean({ error: 'true or false' });
const nameRule = `a file name without folders that holds {id}, and of ${namePlaceholders.join(', ')} what it needs`;

/** Also read by whoever compares two archives. */
export const archiveOptions = z.strictObject({
  folder: z
    .string({ error: 'the path of a folder' })
    .min(1, { error: 'the path of a folder' })
    .describe(
      'The folder to put files into; it must be there, the same one for every worker. A relative path is seen from where the worker runs.',
    ),
  format: z
    .union([format.transform((one) => [one]), z.array(format).min(1)], {
      error: 'pdf, docx or md, or a list of them',
    })
    .default(['pdf'])
    .transform((list) => [...new Set(list)])
    .describe('pdf, docx or md, or a list of them: one file for each. Default pdf.'),
  name: z
    .string({ error: nameRule })
    .max(150, { error: nameRule })
    .refine(isNamePattern, { error: nameRule })
    .optional()
    .describe(
      'How a file is called, without its ending; it may also hold {template}. Without {time} the meetings of a ' +
        'series that begin on one day replace each other. Default {date}_{time}_{title}_{id}, and behind it what ' +
        'template, includeReport and includeTasks say.',
    ),
  timezone: z
    .string({ error: 'the IANA name of a time zone, such as Europe/Berlin' })
    .refine(isTimeZone, { error: 'the IANA name of a time zone, such as Europe/Berlin' })
    .optional()
    .describe("The time zone of the file and of its name; without it the service's own, and the meeting's."),
  includeReport: flag
    .optional()
    .describe('Whether the file holds the report; without it the service decides.'),
  includeTasks: flag.optional().describe('Whether the file holds the tasks; without it the service decides.'),
  template: z
    .string({ error: 'the slug or the id of a template' })
    .min(1)
    .optional()
    .describe("Which template's report to export: a slug or an id. Without it the service decides."),
  tags: z
    .array(tag, { error: 'a list of names of tags' })
    .max(20)
    .default([])
    .describe('Names of tags that the meeting gets once its file is there.'),
  createTags: flag
    .default(false)
    .describe(
      'Whether tags that the workspace does not have are made. Default false: then nothing is archived.',
    ),
});

export type ArchiveOptions = z.output<typeof archiveOptions>;

export const archiveExport = definePrebuiltRecipe({
  id: 'archive-export',
  description: 'Puts the report of a finished meeting into a folder as PDF, DOCX or Markdown.',
  destination: 'folder',
  events: ['meeting.completed'],
  transcript: 'present',
  options: archiveOptions,
  plan: (_event, values) => values.format.map((one) => ({ target: nameTarget(one, values.folder), part: 0 })),
  present: (values) => ({
    from: 'report',
    render: (digest, { target }) => {
      const one = formats.find((known) => target.startsWith(`${known}#`));
      if (one === undefined) return { skip: 'files of this format are not archived' };
      return { destination: 'folder', message: orderFile(digest, one, values) };
    },
  }),
});

/** Another folder is another place: what was put into the old one is not changed any more. */
function nameTarget(one: string, folder: string): string {
  return `${one}#${createHash('sha256').update(folder, 'utf8').digest('hex').slice(0, 8)}`;
}

function orderFile(digest: Digest, one: (typeof formats)[number], values: ArchiveOptions) {
  const { folder, timezone, template, includeReport, includeTasks } = values;
  const naming = {
    pattern: choosePattern(values),
    format: one,
    ...(timezone === undefined ? {} : { timeZone: timezone }),
    ...(template === undefined ? {} : { template }),
  };
  return {
    input: {
      meeting_id: digest.meetingId,
      format: one,
      ...(includeReport === undefined ? {} : { include_report: includeReport }),
      ...(includeTasks === undefined ? {} : { include_tasks: includeTasks }),
      ...(template === undefined ? {} : { template_name: template }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    folder,
    name: writeFileName(digest, naming),
    edition: hashReport(digest),
    tags: values.tags,
    mayCreateTags: values.createTags,
  };
}

/** Our own tags must not make it another report. */
function hashReport({ tags: _tags, ...said }: Digest): string {
  return createHash('sha256').update(JSON.stringify(said)).digest('hex');
}

function isNamePattern(pattern: string): boolean {
  const known = namePlaceholders.reduce((rest, placeholder) => rest.replaceAll(placeholder, ''), pattern);
  return pattern.includes('{id}') && !/[{}/\\]/.test(known);
}
