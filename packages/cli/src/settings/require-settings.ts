import { checkConfiguredRecipe } from '@aftermeet/recipes';

import type { SettingProblem } from './problem.ts';
import type { ServiceSettings, Settings } from './settings.ts';

const unset = 'nothing';

/** What is still missing before a receiver can start: an endpoint without a secret would trust anybody. */
export function receiverProblems(settings: Settings): readonly SettingProblem[] {
  if (settings.endpoints.byName.size === 0) {
    return [
      {
        setting: 'WEBHOOK_SECRET',
        found: unset,
        expected:
          'the webhook_secret that recordings are started with (16 to 128 characters), or endpoints in aftermeet.yaml',
      },
    ];
  }
  if (settings.endpoints.masterSecret !== undefined) return [];
  return [...settings.endpoints.byName].flatMap(([name, endpoint]) => [
    // What takes unsigned deliveries lacks the same thing, and says so below.
    ...(endpoint.secrets.length > 0 || endpoint.unsigned !== undefined
      ? []
      : [
          {
            setting: `endpoints.${name}.secrets`,
            found: unset,
            expected: 'at least one secret, or WEBHOOK_MASTER_SECRET',
          },
        ]),
    ...(endpoint.unsigned === undefined
      ? []
      : [
          {
            setting: `endpoints.${name}.unsigned`,
            found: `${endpoint.unsigned} without WEBHOOK_MASTER_SECRET`,
            expected: 'WEBHOOK_MASTER_SECRET, which makes the only addresses that take them',
          },
        ]),
  ]);
}

/** What is still missing before a worker can start; without a recipe it would swallow events. */
export function workerProblems(settings: Settings): readonly SettingProblem[] {
  return [...serviceProblems(settings.service), ...recipeProblems(settings)];
}

/** What is still missing before recipes can be planned. */
export function recipeProblems(settings: Settings): readonly SettingProblem[] {
  return [
    ...(settings.recipes.length > 0
      ? []
      : [
          {
            setting: 'SLACK_BOT_TOKEN, NOTION_TOKEN or SMTP_URL',
            found: unset,
            expected: 'at least one destination with its variables, or recipes in aftermeet.yaml',
          },
        ]),
    ...settings.recipes.flatMap((recipe) => checkConfiguredRecipe(recipe, settings.destinations)),
  ];
}

function serviceProblems(service: ServiceSettings | undefined): readonly SettingProblem[] {
  return service === undefined
    ? [
        {
          setting: 'SERVICE_BASE_URL and SERVICE_API_KEY',
          found: 'one or both not set',
          expected: "the service's address and key",
        },
      ]
    : [];
}
