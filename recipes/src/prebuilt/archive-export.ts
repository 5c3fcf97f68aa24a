import { createHash } from 'node:crypto';

import { isTimeZone } from '@aftermeet/contract';
import { z } from 'zod';

import type { FolderNeed } from '../destinations/folder/check.ts';
import { choosePattern, namePlaceholders, writeFileName } from '../destinations/folder/file-name.ts';
import type { Digest } from '../report/digest.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';

const formats = ['pdf', 'docx', 'md'] as const;
const format = z.enum(formats, { error: 'pdf, docx or md' });
const tag = z.string().trim().min(1).max(100);
const flag = z.boolean({ error: 'true or false' });
const nameRule = `a file name without folders that holds {id}, and of ${namePlaceholders.join(', ')} what it needs`;

const modeRule = 'a text of octal digits such as "0640", with read and write for the owner';

/** Options of `archive-export`; `recipes check` compares those of two archives. */
export const archiveOptions = z.strictObject({
  folder: z
    .string({ error: 'the path of a folder' })
    .min(1, { error: 'the path of a folder' })
    .describe(
      'The folder to write files into; it must exist and be the same for every worker. A relative path starts at the working directory of the worker.',
    ),
  format: z
    .union([format.transform((one) => [one]), z.array(format).min(1)], {
      error: 'pdf, docx or md, or a list of them',
    })
    .default(['pdf'])
    .transform((list) => [...new Set(list)])
    .describe('pdf, docx or md, or a list of them: one file for each. Default: pdf.'),
  name: z
    .string({ error: nameRule })
    .max(150, { error: nameRule })
    .refine(isNamePattern, { error: nameRule })
    .optional()
    .describe(
      'File name without extension; {id} is required, {date}, {time}, {title} and {template} may be used. Default: ' +
        '{date}_{time}_{title}_{id}, followed by parts for template, includeReport and includeTasks when they are set. Without {time}, meetings of a ' +
        'series that share an id and a day replace each other.',
    ),
  // A text: YAML reads 0640 as the decimal number 640.
  mode: z
    .string({ error: modeRule })
    .regex(/^0?6[0246]{2}$/, { error: modeRule })
    .transform((digits) => Number.parseInt(digits, 8))
    .optional()
    .describe(
      'Who may read and write the files, as octal digits in quotes: "0640" lets the group read. Default: "0600", the user of the worker alone.',
    ),
  timezone: z
    .string({ error: 'the IANA name of a time zone, such as Europe/Berlin' })
    .refine(isTimeZone, { error: 'the IANA name of a time zone, such as Europe/Berlin' })
    .optional()
    .describe(
      "Time zone of the file and of its name. Default: the service's own for the file, the meeting's for the name.",
    ),
  includeReport: flag
    .optional()
    .describe('Whether the file contains the report. Default: decided by the service.'),
  includeTasks: flag
    .optional()
    .describe('Whether the file contains the tasks. Default: decided by the service.'),
  template: z
    .string({ error: 'the slug or the id of a template' })
    .min(1)
    .optional()
    .describe('Slug or id of the template whose report is exported. Default: decided by the service.'),
  tags: z
    .array(tag, { error: 'a list of names of tags' })
    .max(20)
    .default([])
    .describe('Names of tags that are attached to the meeting after the file is written.'),
  createTags: flag
    .default(false)
    .describe('Whether missing tags are created. Default: false; a missing tag then stops the export.'),
});

export type ArchiveOptions = z.output<typeof archiveOptions>;

export const archiveExport = definePrebuiltRecipe({
  id: 'archive-export',
  description: 'Writes the report of a finished meeting into a folder as PDF, DOCX or Markdown.',
  destination: 'folder',
  events: ['meeting.completed'],
  transcript: 'present',
  options: archiveOptions,
  plan: (_event, values) => values.format.map((one) => ({ target: makeTarget(one, values.folder), part: 0 })),
  needs: ({ folder }) => ({ folder }) satisfies FolderNeed,
  present: (values) => ({
    from: 'report',
    render: (digest, { target }) => {
      const one = formats.find((known) => target.startsWith(`${known}#`));
      if (one === undefined) return { skip: 'files of this format are not archived' };
      return { destination: 'folder', message: makeFileOrder(digest, one, values) };
    },
  }),
});

/** Another folder is another target: files in the old folder are not changed any more. */
function makeTarget(one: string, folder: string): string {
  return `${one}#${createHash('sha256').update(folder, 'utf8').digest('hex').slice(0, 8)}`;
}

function makeFileOrder(digest: Digest, one: (typeof formats)[number], values: ArchiveOptions) {
  const { folder, mode, timezone, template, includeReport, includeTasks } = values;
  const naming = {
    pattern: choosePattern(values),
    format: one,
    ...(timezone === undefined ? {} : { timeZone: timezone }),
    ...(template === undefined ? {} : { template }),
  };
  return {
    input: {
      meetingId: digest.meetingId,
      format: one,
      ...(includeReport === undefined ? {} : { includeReport: includeReport }),
      ...(includeTasks === undefined ? {} : { includeTasks: includeTasks }),
      ...(template === undefined ? {} : { templateName: template }),
      ...(timezone === undefined ? {} : { timezone }),
    },
    folder,
    name: writeFileName(digest, naming),
    ...(mode === undefined ? {} : { mode }),
    edition: hashReport(digest),
    tags: values.tags,
    mayCreateTags: values.createTags,
  };
}

/** Tags are left out: the tags that the recipe attaches must not count as a changed report. */
function hashReport({ tags: _tags, ...content }: Digest): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

function isNamePattern(pattern: string): boolean {
  const known = namePlaceholders.reduce((rest, placeholder) => rest.replaceAll(placeholder, ''), pattern);
  return pattern.includes('{id}') && !/[{}/\\]/.test(known);
}
