import { suggestName } from '@aftermeet/contract';
import { destinationNameSchema } from '@aftermeet/queue';
import { z } from 'zod';

import { policySettings } from '../engine/limits/policy-settings.ts';
import type { PolicyChanges } from '../engine/limits/policy.ts';
import type { RecipeProblem } from '../engine/recipe.ts';
import { checkMailVariables, emailVariables, type MailSettings, readMailSettings } from './email/settings.ts';
import { builtIn } from './index.ts';
import { notionVariables, readNotionSettings } from './notion/settings.ts';
import type { Destinations } from './settings.ts';
import { readSlackSettings, slackVariables } from './slack/settings.ts';

/** The variables of the environment that configure destinations. */
export const destinationVariables = { ...slackVariables, ...notionVariables, ...emailVariables };

type Variables = z.output<z.ZodObject<typeof destinationVariables>>;

interface VariableGroup {
  readonly needed: readonly (keyof Variables)[];
  /** Names the target of recipes that name none, as the standard recipes do. */
  readonly target?: keyof Variables;
}

/** Variables that depend on each other: each group is set as a whole or not at all. */
const groups: readonly VariableGroup[] = [
  { needed: ['SLACK_BOT_TOKEN'], target: 'SLACK_CHANNEL' },
  { needed: ['NOTION_TOKEN'], target: 'NOTION_DATA_SOURCE_ID' },
  { needed: ['SMTP_URL', 'MAIL_FROM'] },
];

interface FileParts {
  /** `mail:` of `aftermeet.yaml`; it is ignored without a mail server, because a process without one may share the file. */
  readonly mail?: Partial<MailSettings> | undefined;
  /** The file has recipes, which may name their targets; the standard recipes name none. */
  readonly hasRecipes: boolean;
}

/** The destinations whose variables are set; a partly configured destination is a problem. */
export function readDestinations(
  variables: Variables,
  { mail, hasRecipes }: FileParts,
): { readonly destinations: Destinations; readonly problems: readonly RecipeProblem[] } {
  const problems = groups.flatMap(({ needed, target }) => {
    const names = target === undefined ? needed : [...needed, target];
    const present = names.find((name) => variables[name] !== undefined);
    if (present === undefined) return [];
    const expected = `a value, because ${present} is set`;
    return (hasRecipes ? needed : names)
      .filter((name) => variables[name] === undefined)
      .map((setting) => ({ setting, found: 'nothing', expected }));
  });
  return {
    problems: [...problems, ...checkMailVariables(variables)],
    destinations: {
      slack: readSlackSettings(variables),
      notion: readNotionSettings(variables),
      email: readMailSettings(variables, mail),
      internalDomains: mail?.internalDomains,
    },
  };
}

const names = builtIn.map(({ name }) => name);

/** A destination of one's own. What else it has is read by its code. */
const ownSection = z.looseObject({
  use: z
    .string({ error: 'a file or a package' })
    .optional()
    .describe('The code of a destination of your own: a file such as ./teams.ts, or a package.'),
});

/** Names that mean something else: the queue of recipes that are code, a key of `Destinations`, and a section of the file. */
const reservedNames: readonly string[] = ['recipe', 'own', 'mail'];

const nameRule = 'a name of lowercase letters, digits and hyphens that is free';

/**
 * `destinations:` of `aftermeet.yaml`: changed policies of the destinations that come with the toolkit, and destinations of
 * one's own.
 */
export const destinationsSchema = z
  .object(
    Object.fromEntries(
      builtIn.map(({ name, maxTimeoutMs, isUntraceable = false }) => [
        name,
        policySettings({
          maxTimeoutMs,
          isTraceable: !isUntraceable,
        })
          .optional()
          .describe(`How messages to ${name} are paced and retried.`),
      ]),
    ),
  )
  .catchall(ownSection)
  .check(({ value, issues }) => {
    for (const [name, section] of Object.entries(value)) {
      if (names.includes(name)) continue;
      const isFree = destinationNameSchema.safeParse(name).success && !reservedNames.includes(name);
      const hasCode = ownSection.parse(section).use !== undefined;
      if (isFree && hasCode) continue;
      const message = hasCode
        ? nameRule
        : `${suggestName(name, names)}, or use: ./file of your own destination`;
      issues.push({ code: 'custom', message, path: [name], input: value });
    }
  })
  .transform((sections) => {
    const policies: PolicyChanges = Object.fromEntries(
      Object.entries(sections).filter(([name]) => names.includes(name)),
    );
    const own = Object.entries(sections).flatMap(([name, section]) => {
      if (names.includes(name)) return [];
      const { use = '', ...values } = ownSection.parse(section);
      return [{ name, use, values }];
    });
    return { policies, own };
  });
