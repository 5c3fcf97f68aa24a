import { z } from 'zod';

const maxContentLength = 2000;
const maxItems = 100;

/** https://developers.notion.com/reference/request-limits */
function describeLength(limit: number, found: unknown): string {
  const length = typeof found === 'string' || Array.isArray(found) ? found.length : 0;
  return `length should be ≤ \`${String(limit)}\`, instead was \`${String(length)}\``;
}

const linkAddress = z
  .string()
  .max(maxContentLength, { error: ({ input }) => describeLength(maxContentLength, input) })
  .refine((address) => /^(https?:|mailto:)/i.test(address) && URL.canParse(address), {
    error: 'should be a valid URL',
  });

const annotations = z.object({
  bold: z.boolean().default(false),
  italic: z.boolean().default(false),
  strikethrough: z.boolean().default(false),
  underline: z.boolean().default(false),
  code: z.boolean().default(false),
  color: z.string().default('default'),
});

/** One piece of rich text as a request carries it, read into the shape that answers carry. */
const notionTextItemSchema = z
  .object({
    type: z.literal('text').default('text'),
    text: z.object({
      content: z
        .string()
        .max(maxContentLength, { error: ({ input }) => describeLength(maxContentLength, input) }),
      link: z.object({ url: linkAddress }).nullable().default(null),
    }),
    annotations: annotations.prefault({}),
  })
  .transform((item) => ({ ...item, plain_text: item.text.content, href: item.text.link?.url ?? null }));

export const notionTextSchema = z
  .array(notionTextItemSchema)
  .max(maxItems, { error: ({ input }) => describeLength(maxItems, input) });

export type NotionText = z.infer<typeof notionTextSchema>;

/** The letters alone. */
export function readPlainText(text: NotionText): string {
  return text.map((item) => item.plain_text).join('');
}

/** `children[0].paragraph.rich_text[0].text.content` and what is wrong there. */
export function describeIssue(path: string, issue: z.core.$ZodIssue): string {
  const place = issue.path.map((step) =>
    typeof step === 'number' ? `[${String(step)}]` : `.${String(step)}`,
  );
  return `body failed validation: ${path}${place.join('')} ${issue.message}.`;
}
